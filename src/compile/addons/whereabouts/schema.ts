import * as z from 'zod';
import { labelMap } from '../../../shared/kubernetes/fields.js';
import { toleration } from '../../model/shapes/pod.js';
import { cronJobSchedule, imageText } from '../../model/shapes/text.js';
import { nameOf } from '../../model/shapes/object-name.js';
import { addOnSection } from '../add-on.js';
import { affinity, namespaceOverride, objectName, resources } from '../shapes.js';
import { strictObject } from '../../../shared/lib/strict-object.js';

/** Options of the pods, with the defaults of whereabouts v0.9.4, doc/crds. */
const pods = () => ({
  nodeSelector: labelMap.default({}).describe('Nodes that its pods may run on.'),
  affinity: affinity('Affinity of its pods.').default({}),
});

const reconciler = () =>
  strictObject(() => ({
    enabled: z.boolean().default(true).describe('Run the reconciler, which gives addresses back whose pods are gone.'),
    schedule: cronJobSchedule
      .refine((text) => text !== '', { error: 'must be a schedule' })
      .default('30 4 * * *')
      .describe('When it looks at all addresses, in UTC.'),
    ...pods(),
    tolerations: z.array(toleration).default([]).describe('Tolerations of its pod.'),
    resources: resources({ cpu: '100m', memory: '50Mi' }, { cpu: '100m', memory: '50Mi' }),
  }))
    .prefault({})
    .describe('The reconciler. It has one pod: it does not know a leader.');

const nodeSliceController = () =>
  strictObject(() => ({
    enabled: z
      .boolean()
      .default(false)
      .describe('Run the controller of networks with `node_slice_size`, whose nodes have ranges of their own.'),
    ...pods(),
    tolerations: z.array(toleration).default([]).describe('Tolerations of its pod.'),
    resources: resources({ cpu: '100m', memory: '200Mi' }, { cpu: '100m', memory: '100Mi' }),
  }))
    .prefault({})
    .describe('The node slice controller.');

const whereabouts = () =>
  strictObject(() => ({
    deploy: z.boolean().default(false).describe('Render whereabouts.'),
    image: imageText
      .refine((text) => text !== '', { error: 'must be an image' })
      .default('ghcr.io/k8snetworkplumbingwg/whereabouts:v0.9.4')
      .describe('Image of all programs, v0.9.4 or newer.'),
    imagePullSecrets: z
      .array(nameOf('Secret', objectName.describe('Name of a Secret.')))
      .default([])
      .describe('Secrets with registry credentials.'),
    namespaceOverride: namespaceOverride(
      'Namespace, which also holds the addresses in use. Default: that of the Cluster.',
    ),
    logLevel: z.enum(['debug', 'verbose', 'error', 'panic']).default('debug').describe('Log level of all programs.'),
    tolerations: z
      .array(toleration)
      .default([{ operator: 'Exists', effect: 'NoSchedule' }])
      .describe('Tolerations of the pods on the nodes.'),
    ...pods(),
    resources: resources({ cpu: '100m', memory: '200Mi' }, { cpu: '100m', memory: '100Mi' }),
    reconciler: reconciler(),
    nodeSliceController: nodeSliceController(),
  }));

/** The section of a Cluster document without it. */
const ABSENT = { deploy: false } as const;

export const whereaboutsSpec = addOnSection(whereabouts, ABSENT).describe(
  'whereabouts, an IPAM plugin that keeps addresses for the whole cluster.',
);

/** The section of a document that has one. */
export type WhereaboutsSection = z.output<ReturnType<typeof whereabouts>>;
export type WhereaboutsSpec = WhereaboutsSection | typeof ABSENT;

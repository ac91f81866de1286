import * as z from 'zod';
import { isConfigMapKey, isDnsSubdomain, isQualifiedName } from '../../../shared/kubernetes/names.js';
import { nameOf, type NamedKind } from './object-name.js';
import { MAX_INT32, quantity } from './text.js';
import { strictObject } from '../../../shared/lib/strict-object.js';

/**
 * Parts of a pod that policies pass through. Fields and defaults as in the operator's CRDs (network-operator b06827e0,
 * config/crd/bases/mellanox.com_nicclusterpolicies.yaml). The operator's API accepts any value, but the API server
 * refuses the pods of some: such a DaemonSet would have no pods (kubernetes v1.36,
 * pkg/apis/core/validation/validation.go).
 */
const keyOf = (what: NamedKind) =>
  strictObject(() => ({
    key: z.string().refine(isConfigMapKey, { error: 'must be letters, digits, `-`, `_` and `.`' }).describe('The key.'),
    name: nameOf(
      what,
      z
        .string()
        .refine(isDnsSubdomain, { error: `must be the name of a ${what}` })
        .describe(`Name of the ${what}.`),
    ),
    optional: z.boolean().optional().describe(`Whether the container starts without the ${what} or its key.`),
  }));

const valueFrom = strictObject(() => ({
  configMapKeyRef: keyOf('ConfigMap').optional().describe('A key of a ConfigMap.'),
  secretKeyRef: keyOf('Secret').optional().describe('A key of a Secret.'),
  fieldRef: strictObject(() => ({
    apiVersion: z.string().optional().describe('Version of the schema that `fieldPath` is written in.'),
    fieldPath: z.string().describe('Path of the pod field.'),
  }))
    .optional()
    .describe('A field of the pod.'),
  resourceFieldRef: strictObject(() => ({
    containerName: z.string().optional().describe('The container; required in volumes only.'),
    divisor: quantity.optional().describe('Unit of the value. Default: 1.'),
    resource: z.string().describe('For instance `limits.cpu`.'),
  }))
    .optional()
    .describe('An amount of the container.'),
  fileKeyRef: strictObject(() => ({
    key: z.string().describe('The key in the file.'),
    optional: z.boolean().default(false).describe('Whether the container starts without it.'),
    path: z.string().describe('Path of the file in the volume.'),
    volumeName: z.string().describe('Name of the volume.'),
  }))
    .optional()
    .describe('A key of an environment file.'),
}))
  .refine((sources) => Object.values(sources).filter((source) => source !== undefined).length === 1, {
    error: 'must have one of `configMapKeyRef`, `secretKeyRef`, `fieldRef`, `resourceFieldRef`, `fileKeyRef`',
  })
  .describe('Where the value comes from.');

/** An environment variable. */
export const envVar = strictObject(() => ({
  name: z
    .string()
    .regex(/^[ -<>-~]+$/, { error: 'must be printable ASCII characters without `=`' })
    .describe('Name of the variable.'),
  value: z.string().optional().describe('Its value.'),
  valueFrom: valueFrom.optional().describe('Source of its value.'),
})).refine(({ value, valueFrom: source }) => !value || source === undefined, {
  path: ['valueFrom'],
  error: 'must not be there beside `value`',
});
export type EnvVar = z.output<typeof envVar>;

/** A toleration. */
export const toleration = strictObject(() => ({
  key: z.string().optional().describe('Key of the taint; empty with `Exists` tolerates all.'),
  operator: z
    .enum(['', 'Equal', 'Exists', 'Lt', 'Gt'])
    .optional()
    .describe('How the value is compared. Default: `Equal`.'),
  value: z.string().optional().describe('Value of the taint.'),
  effect: z
    .enum(['', 'NoSchedule', 'PreferNoSchedule', 'NoExecute'])
    .optional()
    .describe('Effect of the taint; empty for all.'),
  tolerationSeconds: z.int().optional().describe('For `NoExecute`: how long the pod stays, in seconds.'),
}))
  .refine(({ key, operator }) => Boolean(key) || operator === 'Exists', {
    path: ['operator'],
    error: 'must be `Exists` where there is no `key`',
  })
  .refine(({ operator, value }) => operator !== 'Exists' || !value, {
    path: ['value'],
    error: 'must not be there with the operator `Exists`',
  });

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'] as const;

/** Whether an operator accepts this number of values. */
function takes(operator: (typeof OPERATORS)[number], count: number): boolean {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0;
    case 'Exists':
    case 'DoesNotExist':
      return count === 0;
    case 'Gt':
    case 'Lt':
      return count === 1;
  }
}

const requirement = strictObject(() => ({
  key: z.string().refine(isQualifiedName, { error: 'must be a label key' }).describe('The label.'),
  operator: z.enum(OPERATORS).describe('How the label is compared.'),
  values: z.array(z.string()).optional().describe('The values.'),
})).refine(({ operator, values = [] }) => takes(operator, values.length), {
  path: ['values'],
  error: 'must be one or more for `In` and `NotIn`, one for `Gt` and `Lt`, none for `Exists` and `DoesNotExist`',
});

const fieldRequirement = strictObject(() => ({
  key: z.enum(['metadata.name']).describe('The field.'),
  operator: z.enum(['In', 'NotIn']).describe('How the field is compared.'),
  values: z.array(z.string()).length(1).describe('The value.'),
}));

const nodeSelectorTerm = strictObject(() => ({
  matchExpressions: z.array(requirement).optional().describe('Requirements on labels.'),
  matchFields: z.array(fieldRequirement).optional().describe('Requirements on fields.'),
}));

/** Which nodes pods may and should run on. */
export const nodeAffinity = strictObject(() => ({
  requiredDuringSchedulingIgnoredDuringExecution: strictObject(() => ({
    nodeSelectorTerms: z.array(nodeSelectorTerm).min(1).describe('Alternatives; one must hold.'),
  }))
    .optional()
    .describe('What a node must have.'),
  preferredDuringSchedulingIgnoredDuringExecution: z
    .array(
      strictObject(() => ({
        preference: nodeSelectorTerm.describe('What a node should have.'),
        weight: z.int().min(1).max(100).describe('How much it counts beside others.'),
      })),
    )
    .optional()
    .describe('What a node should have.'),
}));
export type NodeAffinity = z.output<typeof nodeAffinity>;

const probeNumber = z.int().max(MAX_INT32);

/** Timing of a probe; the command is set by the component. Values below 1 mean the component's default. */
export const probe = strictObject(() => ({
  initialDelaySeconds: probeNumber.describe('Seconds between the start of the container and the first probe.'),
  periodSeconds: probeNumber.describe('Seconds between two probes.'),
  failureThreshold: probeNumber.optional().describe('Failures in a row that make the probe fail.'),
  timeoutSeconds: probeNumber.optional().describe('Seconds after which a probe counts as failed.'),
}));
export type Probe = z.output<typeof probe>;

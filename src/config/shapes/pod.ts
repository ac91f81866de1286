import * as z from 'zod';
import { quantity } from './text.js';

/**
 * Parts of a pod that policies pass through. Fields and defaults as in the operator's CRDs (network-operator v26.7.0-rc.2,
 * config/crd/bases/mellanox.com_nicclusterpolicies.yaml).
 */
const keyOf = (what: string) =>
  z.strictObject({
    key: z.string().describe('The key.'),
    name: z.string().default('').describe(`Name of the ${what}.`),
    optional: z.boolean().optional().describe(`Whether the container starts without the ${what} or its key.`),
  });

const valueFrom = z
  .strictObject({
    configMapKeyRef: keyOf('ConfigMap').optional().describe('A key of a ConfigMap.'),
    secretKeyRef: keyOf('Secret').optional().describe('A key of a Secret.'),
    fieldRef: z
      .strictObject({
        apiVersion: z.string().optional().describe('Version of the schema that `fieldPath` is written in.'),
        fieldPath: z.string().describe('Path of the pod field.'),
      })
      .optional()
      .describe('A field of the pod.'),
    resourceFieldRef: z
      .strictObject({
        containerName: z.string().optional().describe('The container; required in volumes only.'),
        divisor: quantity.optional().describe('Unit of the value. Default: 1.'),
        resource: z.string().describe('For instance `limits.cpu`.'),
      })
      .optional()
      .describe('An amount of the container.'),
    fileKeyRef: z
      .strictObject({
        key: z.string().describe('The key in the file.'),
        optional: z.boolean().default(false).describe('Whether the container starts without it.'),
        path: z.string().describe('Path of the file in the volume.'),
        volumeName: z.string().describe('Name of the volume.'),
      })
      .optional()
      .describe('A key of an environment file.'),
  })
  .describe('Where the value comes from.');

/** An environment variable. */
export const envVar = z.strictObject({
  name: z.string().describe('Name of the variable.'),
  value: z.string().optional().describe('Its value.'),
  valueFrom: valueFrom.optional().describe('Source of its value.'),
});
export type EnvVar = z.output<typeof envVar>;

/** A toleration. */
export const toleration = z.strictObject({
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
});

const requirement = z.strictObject({
  key: z.string().describe('The label.'),
  operator: z.string().describe('`In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt`.'),
  values: z.array(z.string()).optional().describe('The values.'),
});

const nodeSelectorTerm = z.strictObject({
  matchExpressions: z.array(requirement).optional().describe('Requirements on labels.'),
  matchFields: z.array(requirement).optional().describe('Requirements on fields.'),
});

/** Which nodes pods may and should run on. */
export const nodeAffinity = z.strictObject({
  requiredDuringSchedulingIgnoredDuringExecution: z
    .strictObject({ nodeSelectorTerms: z.array(nodeSelectorTerm).describe('Alternatives; one must hold.') })
    .optional()
    .describe('What a node must have.'),
  preferredDuringSchedulingIgnoredDuringExecution: z
    .array(
      z.strictObject({
        preference: nodeSelectorTerm.describe('What a node should have.'),
        weight: z.int().describe('1 to 100.'),
      }),
    )
    .optional()
    .describe('What a node should have.'),
});
export type NodeAffinity = z.output<typeof nodeAffinity>;

/** Timing of a probe; the command is the component's own. Values below 1 mean the component's default. */
export const probe = z.strictObject({
  initialDelaySeconds: z.int().describe('Seconds between the start of the container and the first probe.'),
  periodSeconds: z.int().describe('Seconds between two probes.'),
  failureThreshold: z.int().optional().describe('Failures in a row that make the probe fail.'),
  timeoutSeconds: z.int().optional().describe('Seconds after which a probe counts as failed.'),
});
export type Probe = z.output<typeof probe>;

import * as z from 'zod';
import { conditions, count, objectSchema, type Shape } from './meta.js';
import { podTemplate } from './pod.js';

/** apps/v1. */
export const daemonSetSchema = objectSchema.extend({
  spec: z
    .object({
      template: podTemplate.exactOptional(),
      updateStrategy: z.object({ type: z.string().exactOptional() }).exactOptional(),
    })
    .exactOptional(),
  status: z.object({ observedGeneration: count.exactOptional() }).exactOptional(),
});
export type ApiDaemonSet = Shape<typeof daemonSetSchema>;

/** apps/v1. The API server takes any `data`. */
export const controllerRevisionSchema = objectSchema.extend({
  revision: count.exactOptional(),
  data: z.object({ spec: z.object({ template: podTemplate.exactOptional() }).exactOptional() }).exactOptional(),
});
export type ApiControllerRevision = Shape<typeof controllerRevisionSchema>;

/** apps/v1: a Deployment, a ReplicaSet or a StatefulSet. */
export const replicatedSchema = objectSchema.extend({
  spec: z.object({ replicas: count.exactOptional(), template: podTemplate.exactOptional() }).exactOptional(),
});

/** batch/v1. */
export const jobSchema = objectSchema.extend({
  spec: z.object({ parallelism: count.exactOptional(), completions: count.exactOptional() }).exactOptional(),
  status: z.object({ conditions: conditions.exactOptional() }).exactOptional(),
});
export type ApiJob = Shape<typeof jobSchema>;

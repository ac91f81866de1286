import * as z from 'zod';
import {
  conditions,
  count,
  labelSelector,
  numberOrPercentage,
  objectSchema,
  quantityTexts,
  texts,
  time,
  type Shape,
} from './meta.js';
import { nodeSelectorTerms } from './pod.js';

/** core/v1. */
export const nodeSchema = objectSchema.extend({
  spec: z
    .object({
      unschedulable: z.boolean().exactOptional(),
      taints: z
        .array(
          z.object({
            key: z.string(),
            value: z.string().exactOptional(),
            effect: z.string(),
            timeAdded: time.exactOptional(),
          }),
        )
        .exactOptional(),
    })
    .exactOptional(),
  status: z
    .object({
      conditions: conditions.exactOptional(),
      allocatable: quantityTexts.exactOptional(),
      nodeInfo: z.object({ containerRuntimeVersion: z.string().exactOptional() }).exactOptional(),
    })
    .exactOptional(),
});
export type ApiNode = Shape<typeof nodeSchema>;

/** policy/v1. */
export const budgetSchema = objectSchema.extend({
  spec: z
    .object({
      selector: labelSelector.exactOptional(),
      minAvailable: numberOrPercentage.exactOptional(),
      maxUnavailable: numberOrPercentage.exactOptional(),
      unhealthyPodEvictionPolicy: z.string().exactOptional(),
    })
    .exactOptional(),
  status: z
    .object({
      disruptionsAllowed: count.exactOptional(),
      desiredHealthy: count.exactOptional(),
      expectedPods: count.exactOptional(),
    })
    .exactOptional(),
});
export type ApiBudget = Shape<typeof budgetSchema>;

/** core/v1. */
export const volumeSchema = objectSchema.extend({
  spec: z
    .object({ nodeAffinity: z.object({ required: nodeSelectorTerms.exactOptional() }).exactOptional() })
    .exactOptional(),
});

/** core/v1. */
export const volumeClaimSchema = objectSchema.extend({
  spec: z.object({ volumeName: z.string().exactOptional() }).exactOptional(),
});

/** core/v1. */
export const configMapSchema = objectSchema.extend({ data: texts.exactOptional() });
export type ApiConfigMap = Shape<typeof configMapSchema>;

/** coordination.k8s.io/v1; its times have six digits behind the point (`MicroTime`). */
export const leaseSchema = objectSchema.extend({
  spec: z
    .object({
      holderIdentity: z.string().exactOptional(),
      leaseDurationSeconds: count.exactOptional(),
      acquireTime: time.exactOptional(),
      renewTime: time.exactOptional(),
      leaseTransitions: count.exactOptional(),
    })
    .exactOptional(),
});
export type ApiLease = Shape<typeof leaseSchema>;

/** resource.k8s.io/v1; v1beta2 and v1beta1 have the same fields. */
export const resourceClaimSchema = objectSchema.extend({
  status: z
    .object({
      allocation: z
        .object({
          devices: z
            .object({
              results: z
                .array(z.object({ driver: z.string().exactOptional(), adminAccess: z.boolean().exactOptional() }))
                .exactOptional(),
            })
            .exactOptional(),
        })
        .exactOptional(),
      reservedFor: z
        .array(z.object({ resource: z.string().exactOptional(), uid: z.string().exactOptional() }))
        .exactOptional(),
    })
    .exactOptional(),
});
export type ApiResourceClaim = Shape<typeof resourceClaimSchema>;

/** resource.k8s.io/v1; v1beta2 and v1beta1 have the same fields. */
export const resourceSliceSchema = objectSchema.extend({
  spec: z
    .object({
      driver: z.string().exactOptional(),
      nodeName: z.string().exactOptional(),
      devices: z.array(z.unknown()).exactOptional(),
    })
    .exactOptional(),
});

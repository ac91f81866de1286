import * as z from 'zod';
import {
  conditions,
  count,
  labelSelector,
  objectSchema,
  quantities,
  requirements,
  texts,
  time,
  type Shape,
} from './meta.js';

const toleration = z.object({
  key: z.string().exactOptional(),
  operator: z.string().exactOptional(),
  value: z.string().exactOptional(),
  effect: z.string().exactOptional(),
});

const any = z.record(z.string(), z.unknown());

/** With what the install digest is computed of. */
const container = z.object({
  name: z.string().exactOptional(),
  image: z.string().exactOptional(),
  command: z.array(z.string()).exactOptional(),
  args: z.array(z.string()).exactOptional(),
  env: z
    .array(z.object({ name: z.string(), value: z.string().exactOptional(), valueFrom: any.exactOptional() }))
    .exactOptional(),
  envFrom: z.array(any).exactOptional(),
  volumeMounts: z
    .array(
      z.object({
        name: z.string(),
        mountPath: z.string(),
        subPath: z.string().exactOptional(),
        subPathExpr: z.string().exactOptional(),
        readOnly: z.boolean().exactOptional(),
        mountPropagation: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
  restartPolicy: z.string().exactOptional(),
  ports: z
    .array(
      z.object({
        containerPort: count.exactOptional(),
        hostPort: count.exactOptional(),
        hostIP: z.string().exactOptional(),
        protocol: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
  resources: z.object({ requests: quantities.exactOptional(), limits: quantities.exactOptional() }).exactOptional(),
});

const podTerm = z.object({
  labelSelector: labelSelector.exactOptional(),
  namespaces: z.array(z.string()).exactOptional(),
  namespaceSelector: labelSelector.exactOptional(),
  matchLabelKeys: z.array(z.string()).exactOptional(),
  topologyKey: z.string().exactOptional(),
});

const podTerms = z.object({ requiredDuringSchedulingIgnoredDuringExecution: z.array(podTerm).exactOptional() });

export const nodeSelectorTerms = z.object({
  nodeSelectorTerms: z
    .array(z.object({ matchExpressions: requirements.exactOptional(), matchFields: requirements.exactOptional() }))
    .exactOptional(),
});

const podSpec = z.object({
  nodeName: z.string().exactOptional(),
  runtimeClassName: z.string().exactOptional(),
  containers: z.array(container).exactOptional(),
  initContainers: z.array(container).exactOptional(),
  volumes: z
    .array(
      z.object({
        name: z.string(),
        emptyDir: any.exactOptional(),
        persistentVolumeClaim: z.object({ claimName: z.string().exactOptional() }).exactOptional(),
      }),
    )
    .exactOptional(),
  tolerations: z.array(toleration).exactOptional(),
  nodeSelector: texts.exactOptional(),
  hostNetwork: z.boolean().exactOptional(),
  overhead: quantities.exactOptional(),
  terminationGracePeriodSeconds: count.exactOptional(),
  resourceClaims: z.array(any).exactOptional(),
  affinity: z
    .object({
      nodeAffinity: z
        .object({ requiredDuringSchedulingIgnoredDuringExecution: nodeSelectorTerms.exactOptional() })
        .exactOptional(),
      podAffinity: podTerms.exactOptional(),
      podAntiAffinity: podTerms.exactOptional(),
    })
    .exactOptional(),
  topologySpreadConstraints: z
    .array(
      podTerm.extend({
        maxSkew: count.exactOptional(),
        minDomains: count.exactOptional(),
        whenUnsatisfiable: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
});

export const podTemplate = z.object({
  metadata: z.object({ labels: texts.exactOptional(), annotations: texts.exactOptional() }).exactOptional(),
  spec: podSpec.exactOptional(),
});

const containerStatus = z.object({
  name: z.string(),
  ready: z.boolean().exactOptional(),
  restartCount: count.exactOptional(),
  state: z
    .object({
      running: z.object({ startedAt: time.exactOptional() }).exactOptional(),
      waiting: z.object({ reason: z.string().exactOptional() }).exactOptional(),
      terminated: z.object({ finishedAt: time.exactOptional() }).exactOptional(),
    })
    .exactOptional(),
});
export type ApiContainerStatus = Shape<typeof containerStatus>;

/** core/v1. */
export const podSchema = objectSchema.extend({
  spec: podSpec.exactOptional(),
  status: z
    .object({
      phase: z.string().exactOptional(),
      startTime: time.exactOptional(),
      conditions: conditions.exactOptional(),
      containerStatuses: z.array(containerStatus).exactOptional(),
      initContainerStatuses: z.array(containerStatus).exactOptional(),
    })
    .exactOptional(),
});
export type ApiPod = Shape<typeof podSchema>;

/** The oldest Kubernetes that accepts a component's objects, and what older ones lack. */
export interface MinimumKubernetes {
  readonly version: string;
  readonly reason: string;
}

/** Fields of rendered objects that older Kubernetes versions do not have. */
export const SINCE = {
  /** kubernetes/kubernetes, CHANGELOG-1.9.md: "apps/v1" is stable. */
  appsV1: { version: '1.9', reason: 'its workloads are of apps/v1, which Kubernetes has since 1.9' },
  /** kubernetes/kubernetes#60596: older ones refuse classes such as `system-node-critical` outside `kube-system`. */
  systemPriority: {
    version: '1.17',
    reason: 'its pods have a system priority, which Kubernetes takes outside `kube-system` since 1.17',
  },
  /** kubernetes/kubernetes, pkg/features/kube_features.go: `StartupProbe` is on by default since 1.18. */
  startupProbe: { version: '1.18', reason: 'its pods have a startup probe, which Kubernetes knows since 1.18' },
  /**
   * kubernetes/apiserver v0.25.0, pkg/features/kube_features.go: `CustomResourceValidationExpressions` is on by default; v0.24.0
   * has it off, and an API server drops the rules.
   */
  validationRules: {
    version: '1.25',
    reason: 'its CRDs have validation rules, which Kubernetes checks since 1.25',
  },
} as const satisfies Readonly<Record<string, MinimumKubernetes>>;

/**
 * A NodeMaintenance: a requestor asks the Maintenance Operator to cordon and drain a node, and has it until it deletes the object
 * (maintenance-operator e15d07b, `api/v1alpha1/nodemaintenance_types.go`, `internal/controller/nodemaintenance_controller.go`).
 */
export interface NodeMaintenance {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly node: string;
  /** `spec.requestorID`: the owner. When it deletes the object, the operator gives the node back as soon as no other requestor is left. */
  readonly requestor: string;
  readonly additionalRequestors: readonly string[];
  /** It was deleted, and the finalizer of the operator keeps it. */
  readonly isDeleting: boolean;
  /** Reason of the condition `Ready`: `Pending`, `Scheduled`, `Cordon`, `WaitForPodCompletion`, `Draining`, `Ready` or `RequestorFailed`. */
  readonly phase: string;
  /** The condition `Ready` is true with the reason `Ready`: the node is drained. */
  readonly isReady: boolean;
  /** Messages of its conditions; empty if they have none. */
  readonly message: string;
  /** The operator cordoned the node for it, and lifts the cordon; false: not yet, or the node was cordoned before. */
  readonly hasCordon: boolean;
  /** Pods that the operator waits for, as `namespace/name`. */
  readonly podsLeft: readonly string[];
}

/** `spec` of a NodeMaintenance that is created. */
export interface NodeMaintenanceSpec {
  readonly requestorID: string;
  readonly nodeName: string;
  readonly cordon: true;
  readonly waitForPodCompletion?: { readonly podSelector: string; readonly timeoutSeconds: number };
  readonly drainSpec?: {
    readonly force: boolean;
    readonly podSelector: string;
    readonly timeoutSeconds: number;
    readonly deleteEmptyDir: boolean;
    /** Only pods that ask for one of these are evicted. Absent: all. */
    readonly podEvictionFilters?: readonly { readonly byResourceNameRegex: string }[];
  };
}

/** What is done with the object: asked for, or given back. A requestor that is not the owner changes only the list. */
export type NodeMaintenanceChange =
  | { readonly kind: 'create'; readonly spec: NodeMaintenanceSpec }
  | {
      readonly kind: 'join' | 'leave';
      readonly resourceVersion: string;
      readonly additionalRequestors: readonly string[];
    }
  | { readonly kind: 'delete'; readonly uid: string };

import type { LocatedObject } from '../reader/located.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import type { FoundOperator } from './operator/find.js';
import type { ListedObject } from '../../shared/kubernetes/listed-object.js';
import type { OperatorOwner } from './operator/owner.js';

/** A rendered object and what the cluster has of it. */
export interface RenderedObject {
  readonly object: KubernetesObject;
  readonly reference: string;
  /** Absent while the cluster does not know its kind: its CRD is applied first. */
  readonly path?: string;
  /** Absent: the cluster has no such object. */
  readonly live?: ListedObject;
  /** What applying it would do, by a dry run of the server; absent: not compared, or nothing. */
  readonly change?: 'create' | 'update';
  /** Applying it would replace its pods, or with `OnDelete` those that are deleted later. */
  readonly restarts?: 'now' | 'on-delete';
  /** The server refuses it, with this message. */
  readonly refused?: string;
}

/** A custom resource, CRD or webhook configuration of the operator. */
export interface OperatorResource extends LocatedObject {
  readonly owners: readonly OperatorOwner[];
}

/** What is saved before it is deleted, by `reference`. */
export type Saved = ReadonlyMap<string, ListedObject>;

/** Which program applies the output. */
export type Applier = 'kubectl' | 'gitops';

/** What is known of a cluster at one time. All decisions are functions of it. */
export interface TakeoverState {
  /** Namespace of the output. */
  readonly namespace: string;
  readonly applier: Applier;
  readonly operator: FoundOperator;
  /** The operator when it was looked at a Lease's duration ago; absent: not yet so long ago. */
  readonly operatorBefore?: FoundOperator;
  /** Objects of GitOps tools that own the operator and are switched on. */
  readonly activeOwners: readonly OperatorOwner[];
  /** The same for the output: those that own the Jobs of the companion. */
  readonly activeOutputOwners: readonly OperatorOwner[];
  /** ClusterServiceVersions that own the operator. */
  readonly serviceVersions: readonly LocatedObject[];
  /** Subscriptions of OLM that have installed one of them. */
  readonly subscriptions: readonly LocatedObject[];
  readonly rendered: readonly RenderedObject[];
  /** Objects that custom resources of the operator own and that are not rendered, of the kinds that are. */
  readonly strays: readonly LocatedObject[];
  readonly customResources: readonly OperatorResource[];
  readonly crds: readonly OperatorResource[];
  readonly webhooks: readonly OperatorResource[];
  readonly saved: Saved;
  /** Jobs and CronJobs of the companion, its pods, and what it wrote: for the way back. */
  readonly companion: {
    readonly workloads: readonly LocatedObject[];
    readonly pods: readonly string[];
    /** Everything else with its label or its names. */
    readonly objects: readonly LocatedObject[];
  };
  /** Nodes with annotations of the companion that the operator would not keep up to date. */
  readonly markedNodes: readonly { readonly name: string; readonly keys: readonly string[] }[];
}

/** One write, and the command that does the same by hand. */
export interface Write {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly contentType?: string;
  readonly command: string;
}

/** What a step says about a state. */
export type Look =
  | { readonly kind: 'done' }
  /** These writes, in this order. */
  | { readonly kind: 'write'; readonly writes: readonly Write[] }
  /** Objects to save in files. */
  | { readonly kind: 'save'; readonly objects: readonly LocatedObject[] }
  /** The cluster is not there yet. */
  | { readonly kind: 'wait'; readonly reason: string }
  /** A person has to do something. */
  | { readonly kind: 'person'; readonly reason: string; readonly lines: readonly string[] }
  /** Nothing may be done. */
  | { readonly kind: 'stop'; readonly reason: string };

/** One step of the way. */
export interface Step<Id extends string = string> {
  readonly id: Id;
  /** A phrase: `stop the operator`. */
  readonly what: string;
  /** The commands that it stands for where the state does not give them. */
  readonly by?: string;
  readonly look: (state: TakeoverState) => Look;
  /** What a plan assumes for later steps. Default: this step changes nothing that they look at. */
  readonly after?: (state: TakeoverState) => TakeoverState;
}

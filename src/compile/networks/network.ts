import type * as z from 'zod';
import type { ProgramCheck } from '../model/config.js';
import type { RegisteredConstruct } from '../model/cluster-scope.js';

/**
 * All properties of a kind of network, which becomes a NetworkAttachmentDefinition. Those that take the spec are methods, so that
 * the registry can hold all kinds.
 */
export interface NetworkKind<Spec> {
  /** Folder here and in the output, for instance `macvlan-network`. */
  readonly id: string;
  /** Name of the state in the operator's status, verbatim; also the value of the label `nvidia.network-operator.state`. */
  readonly statusName: string;
  /** Kind of the document. */
  readonly kind: string;
  /** The whole document. `.describe()` on each field is the option's documentation. */
  readonly schema: z.ZodType;
  /** Checks of its schema that a program makes, too. */
  readonly checks?: readonly ProgramCheck[];
  /** The CNI plugin of its interfaces. */
  readonly plugin: string;
  /** Ids of the capabilities that nodes always need for the network. */
  readonly requires: readonly string[];
  /** Full names of the resources of its devices. */
  usesResources?(this: void, spec: Spec): readonly string[];
  /** Adds the network's objects to the tree. */
  readonly construct: typeof RegisteredConstruct;
}

/** A network of any kind, as the registry holds it. */
export type AnyNetworkKind = NetworkKind<unknown>;

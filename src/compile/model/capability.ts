/** A program on the nodes that networks need: Multus, and the CNI plugins that it calls. The component that installs it lists it. */
export interface Capability {
  /** Kinds of networks require it by this id. For an IPAM plugin it is the `type` in networks that use it. */
  readonly id: string;
  /** In messages. */
  readonly name: string;
  /** Whether OpenShift installs it (openshift/cluster-network-operator, bindata/network/multus). */
  readonly isInOpenshift: boolean;
}

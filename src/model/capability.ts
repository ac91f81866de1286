/** A program on the nodes that networks need: Multus, and the CNI plugins that it calls. The component that installs it lists it. */
export interface Capability {
  /** By this the kinds of networks ask for it. Of an IPAM plugin it is the `type`: networks that name it need it. */
  readonly id: string;
  /** In messages. */
  readonly name: string;
  /** Whether OpenShift has it already (openshift/cluster-network-operator, bindata/network/multus). */
  readonly isInOpenshift: boolean;
}

/** A port of the node that a pod takes. */
export interface HostPort {
  readonly port: number;
  /** `TCP`, `UDP` or `SCTP`. */
  readonly protocol: string;
  /** Empty: every address of the node. */
  readonly address: string;
}

interface PortSpec {
  readonly hostNetwork?: boolean;
  readonly containers?: readonly { readonly ports?: readonly ContainerPort[] }[];
}

interface ContainerPort {
  readonly containerPort?: number;
  readonly hostPort?: number;
  readonly hostIP?: string;
  readonly protocol?: string;
}

const ANY_ADDRESS = '0.0.0.0';

/** The ports of a pod on its node. With `hostNetwork` the API server sets each `hostPort` to the port of the container. */
export function hostPortsOf({ hostNetwork = false, containers = [] }: PortSpec): readonly HostPort[] {
  return containers
    .flatMap(({ ports = [] }) => ports)
    .flatMap(({ containerPort = 0, hostPort = hostNetwork ? containerPort : 0, hostIP = '', protocol = 'TCP' }) =>
      hostPort > 0 ? [{ port: hostPort, protocol, address: hostIP === ANY_ADDRESS ? '' : hostIP }] : [],
    );
}

/**
 * The first port that is taken: the same number and protocol, on the same address, or one of them on every address. Kubernetes'
 * `HostPortInfo.CheckConflict`, v1.34.
 */
export function portInTheWay(wanted: readonly HostPort[], taken: readonly HostPort[]): HostPort | undefined {
  return wanted.find((one) =>
    taken.some(
      ({ port, protocol, address }) =>
        port === one.port &&
        protocol === one.protocol &&
        (address === '' || one.address === '' || address === one.address),
    ),
  );
}

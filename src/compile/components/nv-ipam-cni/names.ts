/** Name of the controller, its container and its account. */
export const CONTROLLER = 'nv-ipam-controller';

/** Name of the DaemonSet, its container and its account. */
export const NODE = 'nv-ipam-node';

/** The Secret that the webhook's certificate is written to, and that the controller mounts. */
export const CERTIFICATE_SECRET = 'nv-ipam-webhook-server-cert';

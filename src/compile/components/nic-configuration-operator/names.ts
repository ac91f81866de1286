/** Name of the Deployment and of the account of all pods. */
export const OPERATOR = 'nic-configuration-operator';

/** Name of the DaemonSet and of its container. */
export const DAEMON = 'nic-configuration-daemon';

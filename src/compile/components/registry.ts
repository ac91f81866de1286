/**
 * Every component, one line each: its folder exports the component and its construct, and so does the library. Shared
 * code uses `all.ts`.
 */
export * from './container-networking-plugins/index.js';
export * from './doca-telemetry-service/index.js';
export * from './ib-kubernetes/index.js';
export * from './ipoib-cni/index.js';
export * from './multus-cni/index.js';
export * from './nic-configuration-operator/index.js';
export * from './nic-feature-discovery/index.js';
export * from './nv-ipam-cni/index.js';
export * from './ofed-driver/index.js';
export * from './rdma-shared-device-plugin/index.js';
export * from './spectrum-x-operator/index.js';
export * from './sriov-device-plugin/index.js';

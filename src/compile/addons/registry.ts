/**
 * Every add-on, one line each: its folder exports the add-on and its construct, and so does the library. Shared code
 * uses `all.ts`.
 */
export * from './maintenance-operator/index.js';
export * from './node-feature-discovery/index.js';
export * from './sriov-network-operator/index.js';
export * from './whereabouts/index.js';

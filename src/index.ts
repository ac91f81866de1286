/**
 * The library: the constructs that `weft synth` is made of, and the types of the documents that they are made from.
 *
 * @example
 * const chart = new Chart(new App(), 'network');
 * const config = resolveConfig([cluster, policy, network]);
 * new NicClusterPolicy(chart, 'policy', { config });
 * new Networks(chart, 'networks', { config });
 */
export { AddOns, Cluster, CustomResourceDefinitions, OperatorNamespace } from './constructs/cluster.js';
export { Networks } from './constructs/networks.js';
export { componentProps, NicClusterPolicy, NicNodePolicies, type PolicyProps } from './constructs/policies.js';
export { PatchError } from './constructs/patches/patches.js';
export type { PatchProblem } from './constructs/patches/problems.js';
export { InvalidConfigError, resolveConfig } from './resolve-config.js';

// Each component with its construct: `new OfedDriver(chart, 'driver', componentProps(config, ofedDriver))`; each kind of network
// with its construct and its document; each add-on with its construct.
export * from './components/registry.js';
export * from './networks/registry.js';
export * from './addons/registry.js';

export type { AddOn, AddOnProps } from './addons/add-on.js';
export type { BuildContext, Component, ComponentProps } from './components/component.js';
export type { Config, Instance, NetworkInstance, NodePool } from './model/config.js';
// The documents and their sections, with the documentation of each field.
export type * from './model/input.js';
export type { Diagnostic, Location } from './diagnostics/diagnostic.js';

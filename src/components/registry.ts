import type * as z from 'zod';
import type { AnyComponent, PolicyScope } from './component.js';
import { containerNetworkingPlugins } from './container-networking-plugins/index.js';
import { docaTelemetryService } from './doca-telemetry-service/index.js';
import { ibKubernetes } from './ib-kubernetes/index.js';
import { ipoibCni } from './ipoib-cni/index.js';
import { multusCni } from './multus-cni/index.js';
import { nicConfigurationOperator } from './nic-configuration-operator/index.js';
import { nicFeatureDiscovery } from './nic-feature-discovery/index.js';
import { nvIpamCni } from './nv-ipam-cni/index.js';
import { ofedDriver } from './ofed-driver/index.js';
import { rdmaSharedDevicePlugin } from './rdma-shared-device-plugin/index.js';
import { spectrumXOperator } from './spectrum-x-operator/index.js';
import { sriovDevicePlugin } from './sriov-device-plugin/index.js';

/** Every component, in the order of the operator's states. A new component is its folder and one line here. */
export const components = [
  multusCni,
  containerNetworkingPlugins,
  ipoibCni,
  ofedDriver,
  sriovDevicePlugin,
  rdmaSharedDevicePlugin,
  ibKubernetes,
  nvIpamCni,
  nicFeatureDiscovery,
  docaTelemetryService,
  nicConfigurationOperator,
  spectrumXOperator,
] as const;

/** The same, for code that treats all alike. */
export const allComponents: readonly AnyComponent[] = components;

type Registered = (typeof components)[number];
type InScope<C, Scope extends PolicyScope> = C extends { source: { scopes: readonly (infer S)[] } }
  ? Scope extends S
    ? C
    : never
  : never;
type SectionOf<C> = C extends { source: { path: readonly [infer K extends string] }; schema: infer S extends z.ZodType }
  ? { [P in K]?: z.input<S> | undefined }
  : C extends {
        source: { path: readonly [infer A extends string, infer B extends string] };
        schema: infer S extends z.ZodType;
      }
    ? { [P in A]?: { [Q in B]?: z.input<S> | undefined } | undefined }
    : never;
type All<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never;

/** The sections that a policy kind has, by its components' schemas. */
export type PolicySections<Scope extends PolicyScope> = All<SectionOf<InScope<Registered, Scope>>>;

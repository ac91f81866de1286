import type * as z from 'zod';
import type { AnyComponent, PolicyScope } from './component.js';
import { ofedDriver } from './ofed-driver/index.js';
import { rdmaSharedDevicePlugin } from './rdma-shared-device-plugin/index.js';

/** Every component, in the order of the operator's states. A new component is its folder and one line here. */
export const components = [ofedDriver, rdmaSharedDevicePlugin] as const;

/** The same, for code that treats all alike. */
export const allComponents: readonly AnyComponent[] = components;

/** Sections of the operator's API that this version does not compile. They are errors, never left out in silence. */
export const SECTIONS_NOT_COMPILED: readonly string[] = [
  'docaTelemetryService',
  'ibKubernetes',
  'nicConfigurationOperator',
  'nicFeatureDiscovery',
  'nvIpam',
  'secondaryNetwork',
  'spectrumXOperator',
  'sriovDevicePlugin',
];

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

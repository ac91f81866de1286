import { compareText } from '../lib/json.js';
import type { AnyComponent, PolicyScope } from './component.js';
import * as registered from './registry.js';

type Registered = Extract<(typeof registered)[keyof typeof registered], { readonly source: unknown }>;

/** The registry has the components' constructs, too, which are functions. */
const isComponent = (value: (typeof registered)[keyof typeof registered]): value is Registered =>
  typeof value === 'object';

/** Every component of the registry, by id. */
export const allComponents: readonly AnyComponent[] = Object.values(registered)
  .filter(isComponent)
  .sort((a, b) => compareText(a.id, b.id));

type InScope<C, Scope extends PolicyScope> = C extends { source: { scopes: readonly (infer S)[] } }
  ? Scope extends S
    ? C
    : never
  : never;
type KeyOf<C> = C extends { source: { path: readonly [...string[], infer Key extends string] } } ? Key : never;
type ConstructOf<C> = C extends { build: (...given: never) => infer Made } ? Made : never;

/** The constructs of a policy's components by the last key of their section; `undefined` where the policy has no such section. */
export type PolicyComponents<Scope extends PolicyScope> = {
  readonly [C in InScope<Registered, Scope> as KeyOf<C>]: ConstructOf<C> | undefined;
};

import type * as z from 'zod';
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

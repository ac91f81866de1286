import { compareText } from '../../shared/lib/json.js';
import type { AnyComponent } from './component.js';
import * as registered from './registry.js';

type Registered = Extract<(typeof registered)[keyof typeof registered], { readonly source: unknown }>;

/** The registry has the components' constructs, too, which are functions. */
const isComponent = (value: (typeof registered)[keyof typeof registered]): value is Registered =>
  typeof value === 'object';

/** Every component of the registry, by id. */
export const allComponents: readonly AnyComponent[] = Object.values(registered)
  .filter(isComponent)
  .sort((a, b) => compareText(a.id, b.id));

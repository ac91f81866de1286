import { compareText } from '../lib/json.js';
import type { AnyAddOn } from './add-on.js';
import * as registered from './registry.js';

type Registered = Extract<(typeof registered)[keyof typeof registered], { readonly source: unknown }>;

/** The registry has the add-ons' constructs, too, which are functions. */
const isAddOn = (value: (typeof registered)[keyof typeof registered]): value is Registered => typeof value === 'object';

const addOns: readonly Registered[] = Object.values(registered)
  .filter(isAddOn)
  .sort((a, b) => compareText(a.id, b.id));

/** Every add-on of the registry, by id. */
export const allAddOns: readonly AnyAddOn[] = addOns;

/** The sections that a Cluster document has for add-ons. */
type AddOnShape = { readonly [A in Registered as A['source']['path'][0]]: A['schema'] };

/** Their schemas, by key. */
export const addOnShape = Object.fromEntries(
  addOns.map(({ source, schema }) => [source.path[0], schema]),
) as AddOnShape;

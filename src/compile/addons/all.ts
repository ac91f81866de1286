import { compareText } from '../../shared/lib/json.js';
import type { Config } from '../model/config.js';
import type { AnyAddOn, VirtualFunctions } from './add-on.js';
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

/** The virtual functions of the add-ons that are deployed; one add-on makes them at most. */
export function virtualFunctionsOf({ addOns: sections }: Pick<Config, 'addOns'>): VirtualFunctions | undefined {
  for (const { id, virtualFunctions } of allAddOns) {
    const made = sections.has(id) ? virtualFunctions?.(sections.get(id)) : undefined;
    if (made !== undefined) return made;
  }
  return undefined;
}

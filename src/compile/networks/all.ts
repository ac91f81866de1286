import { compareText } from '../../shared/lib/json.js';
import type { AnyNetworkKind } from './network.js';
import * as registered from './registry.js';

type Registered = Extract<(typeof registered)[keyof typeof registered], { readonly kind: string }>;

/** The registry has the constructs of the networks, too, which are functions. */
const isKind = (value: (typeof registered)[keyof typeof registered]): value is Registered => typeof value === 'object';

/** Every kind of network of the registry, by id. */
export const networkKinds: readonly AnyNetworkKind[] = Object.values(registered)
  .filter(isKind)
  .sort((a, b) => compareText(a.id, b.id));

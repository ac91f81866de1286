import type { Patch } from '../../model/patch.js';
import { didYouMean } from '../../../shared/diagnostics/suggest.js';
import { compareText } from '../../../shared/lib/json.js';
import { listed } from '../../../shared/lib/listed.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';
import { matchesSelector, selectorOf } from '../../../shared/kubernetes/selection/label-selector.js';
import type { PatchProblem } from './problems.js';

type Target = Patch['target'];

/** The criteria of a target, in the order in which they are applied, with a predicate and the object's value. */
const CRITERIA: readonly {
  readonly key: keyof Target;
  readonly holds: (wanted: string) => (object: KubernetesObject) => boolean;
  readonly own?: (object: KubernetesObject) => string | undefined;
}[] = [
  { key: 'kind', ...equal(({ kind }) => kind) },
  { key: 'name', ...equal(({ metadata }) => metadata.name) },
  { key: 'namespace', ...equal(({ metadata }) => metadata.namespace) },
  {
    key: 'labelSelector',
    holds: (wanted) => {
      const selector = selectorOf(wanted);
      return ({ metadata }) => matchesSelector(selector, metadata.labels ?? {});
    },
  },
];

function equal(own: (object: KubernetesObject) => string | undefined) {
  return { holds: (wanted: string) => (object: KubernetesObject) => own(object) === wanted, own };
}

/** A predicate for the objects that a target selects. */
export function targeted(target: Target): (object: KubernetesObject) => boolean {
  const criteria = CRITERIA.flatMap(({ key, holds }) => (target[key] === undefined ? [] : [holds(target[key])]));
  return (object) => criteria.every((holds) => holds(object));
}

const LISTED = 10;

/** Why a target matches no object: the first criterion that excludes all, and the existing values. */
export function nothingMatches(index: number, target: Target, objects: readonly KubernetesObject[]): PatchProblem {
  let left = objects;
  for (const { key, holds, own } of CRITERIA) {
    const wanted = target[key];
    if (wanted === undefined) continue;
    const matching = left.filter(holds(wanted));
    if (matching.length > 0) {
      left = matching;
      continue;
    }
    const names = own ? [...new Set(left.flatMap((object) => own(object) ?? []))].sort(compareText) : [];
    const help = didYouMean(wanted, names) ?? inOutput(key, target, names);
    const message = `matches no object: ${target.kind !== undefined && key !== 'kind' ? `no ${target.kind}` : 'none'} ${WISHES[key](wanted)}`;
    return { index, code: 'WEFT0244', path: ['target', key], message, ...(help === undefined ? {} : { help }) };
  }
  throw new Error('a target that matches something was asked why it does not');
}

const WISHES: Readonly<Record<keyof Target, (wanted: string) => string>> = {
  kind: (wanted) => `is a \`${wanted}\``,
  name: (wanted) => `is named \`${wanted}\``,
  namespace: (wanted) => `is in namespace \`${wanted}\``,
  labelSelector: (wanted) => `has the labels \`${wanted}\``,
};

function inOutput(key: keyof Target, { kind }: Target, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const what = key === 'name' ? `names of ${kind === undefined ? 'objects' : `each ${kind}`}` : `${key}s`;
  return `${what} in the output: ${listed(names, LISTED)}`;
}

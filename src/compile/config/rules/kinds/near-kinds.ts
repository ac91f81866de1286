import { crdKinds } from '../../../passthrough/kinds.js';
import { suggest } from '../../../../shared/diagnostics/suggest.js';
import { groupBy } from '../../../../shared/lib/group-by.js';
import { once } from '../../../../shared/lib/memo.js';
import { isBuiltInGroup } from '../../../../shared/kubernetes/api/api-versions.js';
import { apiGroup } from '../../../../shared/kubernetes/names.js';
import { within, type Violation, type PassthroughObject, type Rule } from '../../../model/config.js';
import { documentKinds } from '../../kinds/kinds.js';

interface KnownKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Weft also knows all versions of the API groups of these kinds. */
const ours: readonly KnownKind[] = [...documentKinds, ...crdKinds];

/** Those kinds by API group. */
const byGroup = once(() => groupBy(ours, ({ apiVersion }) => apiGroup(apiVersion)));
const kindsOfGroup = (group: string): readonly KnownKind[] => byGroup().get(group) ?? [];

const isNear = (word: string, other: string) => word === other || suggest(word, [other]) !== undefined;

/** The known kind that an object of an unknown kind probably means; of several, the one with the nearest name. */
function meant(given: KnownKind): KnownKind | undefined {
  const group = apiGroup(given.apiVersion);
  // Another rule checks these groups, whose kinds are all known.
  if (isBuiltInGroup(group)) return undefined;
  const inGroup = kindsOfGroup(group);
  const same = inGroup.filter(({ kind }) => kind === given.kind);
  if (same.length > 0) {
    const versions = same.filter((one) => ours.includes(one));
    return versions.some(({ apiVersion }) => apiVersion === given.apiVersion) ? undefined : versions[0];
  }
  const near =
    inGroup.length > 0 ? inGroup : ours.filter((one) => group !== '' && isNear(group, apiGroup(one.apiVersion)));
  const kind = near.some((one) => one.kind === given.kind)
    ? given.kind
    : suggest(
        given.kind,
        near.map((one) => one.kind),
      );
  return near.find((one) => one.kind === kind);
}

function* nearKind({ object, origin }: PassthroughObject): Iterable<Violation> {
  const given = { apiVersion: String(object['apiVersion']), kind: String(object['kind']) };
  const candidate = meant(given);
  if (!candidate) return;
  const isKindMeant = candidate.kind !== given.kind;
  const isVersionMeant = candidate.apiVersion !== given.apiVersion;
  const written = [
    ...(isVersionMeant ? [`apiVersion: ${candidate.apiVersion}`] : []),
    ...(isKindMeant ? [`kind: ${candidate.kind}`] : []),
  ];
  yield {
    origin: within(origin, isKindMeant ? 'kind' : 'apiVersion'),
    message: `\`${given.kind}\` of \`${given.apiVersion}\` is no kind that is known here`,
    help: `did you mean ${written.map((text) => `\`${text}\``).join(', ')}?`,
  };
}

/** Weft renders an object of a misspelt kind unchanged, and the API server refuses it. */
export const kindAlmostKnown: Rule = {
  code: 'WEFT0107',
  severity: 'warning',
  title: 'a kind is almost one that is known',
  *check({ passthrough }) {
    for (const passed of passthrough) yield* nearKind(passed);
  },
};

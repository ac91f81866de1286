import * as z from 'zod';
import { changesAfter, definitionOf } from '../../../crds/of-release.js';
import { zodOf, type CrdSchema } from '../../../crds/schema.js';
import { type CrdKind, crdKinds } from '../../../passthrough/kinds.js';
import { findRelease, releaseNames } from '../../../releases/catalog.js';
import { changes, type ChangeName, type ChoosesRelease, since } from '../../../releases/changes.js';
import type { PathStep } from '../../../../shared/diagnostics/diagnostic.js';
import { valueAt } from '../../../../shared/lib/json.js';
import { memoized } from '../../../../shared/lib/memo.js';
import { within, type Config, type Origin, type Rule, type Violation } from '../../../model/config.js';
import { describeIssue, formatPath } from '../../../model/issues.js';

/** Fields of networks that the operator got with a change. */
const FIELDS: readonly {
  readonly change: ChangeName;
  readonly kinds: readonly string[];
  readonly path: readonly string[];
}[] = [{ change: 'meta-plugins', kinds: ['MacvlanNetwork', 'HostDeviceNetwork'], path: ['spec', 'metaPlugins'] }];

/** An API server with older definitions drops an unknown field without a message, and refuses other values. */
export const knownToRelease: Rule = {
  code: 'WEFT0283',
  severity: 'error',
  title: 'the release does not know a field or a value',
  *check(config) {
    yield* inNetworks(config);
    for (const { object, origin } of config.passthrough) {
      const kind = crdKinds.find((one) => one.apiVersion === object['apiVersion'] && one.kind === object['kind']);
      if (kind) yield* inObject(config.cluster, kind, origin);
    }
  },
};

function* inNetworks({ cluster, networks }: Config): Iterable<Violation> {
  for (const { change, kinds, path } of FIELDS) {
    if (since(cluster, change)) continue;
    for (const { origin } of networks.filter(({ kind }) => kinds.includes(kind))) {
      if (valueAt(origin.document.value, path) == null) continue;
      yield violation(cluster, changes[change].since, {
        origin: within(origin, ...path),
        at: 'key',
        message: `\`${formatPath(path)}\` is not known`,
      });
    }
  }
}

type Finding = Pick<Violation, 'origin' | 'at' | 'message'>;

function violation({ spec }: ChoosesRelease, first: string, finding: Finding): Violation {
  return {
    ...finding,
    message: `${finding.message} in release ${spec.release ?? ''}`,
    help: `release ${first} is the first that takes it: choose that one or a newer one, or remove it`,
  };
}

/** What the definition of the release refuses in an object that the newest one takes. */
function* inObject(cluster: ChoosesRelease, kind: CrdKind, origin: Origin): Iterable<Violation> {
  if (changesAfter(cluster, kind.crd.metadata.name).length === 0) return;
  const chosen = releaseNames.indexOf(findRelease(cluster.spec.release ?? '')?.release ?? '');
  const newer = releaseNames.slice(0, chosen).reverse();
  for (const finding of findingsOf(cluster, kind, origin)) {
    const isFound = (release: string) =>
      [...findingsOf({ spec: { release } }, kind, origin)].some(({ message }) => message === finding.message);
    yield violation(cluster, newer.find((release) => !isFound(release)) ?? '', finding);
  }
}

function* findingsOf(cluster: ChoosesRelease, kind: CrdKind, origin: Origin): Iterable<Finding> {
  const { value } = origin.document;
  const { error } = schemaOf(cluster, kind).safeParse(valueAt(value, ['spec']));
  for (const issue of error?.issues ?? []) {
    const path = ['spec', ...(issue.path as readonly PathStep[])];
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        const message = `\`${formatPath([...path, key])}\` is not known`;
        yield { origin: within(origin, ...path, key), at: 'key', message };
      }
    } else {
      const { message } = describeIssue({ ...issue, path: [...path] }, value);
      yield { origin: within(origin, ...path), message };
    }
  }
}

const checked = memoized(zodOf);

/** The schema of the `spec` in the kind's version of the definition. */
function schemaOf(cluster: ChoosesRelease, { apiVersion, crd }: CrdKind): z.ZodType {
  const { versions } = definitionOf(cluster, crd)['spec'] as DefinitionSpec;
  const version = versions.find(({ name }) => apiVersion.endsWith(`/${name}`));
  const spec = version?.schema.openAPIV3Schema.properties?.['spec'];
  return spec ? checked(spec) : z.unknown();
}

interface DefinitionSpec {
  readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: CrdSchema } }[];
}

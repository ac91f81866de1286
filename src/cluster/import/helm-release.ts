import { gunzipSync } from 'node:zlib';
import { isObject, parsedJson, valueAt } from '../../shared/lib/json.js';
import type { ChartRelease } from './chart.js';
import { mergeValues } from './merge-values.js';
import { OPERATOR_CHART } from '../../shared/contract/network-operator.js';
import type { NamedObject } from '../../shared/kubernetes/listed-object.js';

/** Type of the Secrets in which Helm keeps releases (helm v3 and v4, pkg/storage/driver/secrets.go). */
export const HELM_SECRET_TYPE = 'helm.sh/release.v1';

/** More than any release that fits into a Secret of a MiB. */
const RELEASE_BYTES_MAX = 64 * 1024 * 1024;

/** The first bytes of gzip; Helm writes small old releases without it. */
const GZIP = Buffer.from([0x1f, 0x8b]);

/**
 * The newest deployed release of the operator's chart in the Secrets of Helm, or why there is none.
 *
 * @param name of the release; absent where it is not known
 */
export function newestRelease(
  secrets: readonly NamedObject[],
  name?: string,
): ChartRelease | { readonly problem: string } {
  const deployed = secrets.filter(
    ({ type, metadata: { labels = {} } }) =>
      type === HELM_SECRET_TYPE && labels['status'] === 'deployed' && (name === undefined || labels['name'] === name),
  );
  const version = ({ metadata }: NamedObject) => Number(metadata.labels?.['version'] ?? 0);
  const newestFirst = [...deployed].sort((a, b) => version(b) - version(a));
  const read = newestFirst.map(releaseOf);
  const found = read.find((release) => !('problem' in release));
  const which = name === undefined ? `a release of the chart \`${OPERATOR_CHART}\`` : `the release \`${name}\``;
  return (
    found ??
    read.find((release) => 'problem' in release) ?? { problem: `no Secret of Helm has ${which} that is deployed` }
  );
}

function releaseOf(secret: NamedObject): ChartRelease | { readonly problem: string } {
  const release = decoded(valueAt(secret, ['data', 'release']));
  const where = `the Secret \`${secret.metadata.name}\``;
  if (!isObject(release)) return { problem: `${where} has no release that can be read` };
  const chart = valueAt(release, ['chart', 'metadata', 'name']);
  if (chart !== OPERATOR_CHART) return { problem: `${where} has a release of another chart: ${JSON.stringify(chart)}` };
  const given = mapOf(release['config']);
  const { name } = release;
  const appVersion = valueAt(release, ['chart', 'metadata', 'appVersion']);
  return {
    values: mergeValues(mapOf(valueAt(release, ['chart', 'values'])), given),
    given,
    ...(typeof name === 'string' && { name }),
    ...(typeof appVersion === 'string' && { appVersion }),
  };
}

const mapOf = (value: unknown) => (isObject(value) ? value : {});

/** Base64 of the Secret, base64 of Helm, gzip, JSON; `undefined` for anything else. */
function decoded(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  const packed = Buffer.from(Buffer.from(text, 'base64').toString('latin1'), 'base64');
  if (!packed.subarray(0, GZIP.length).equals(GZIP)) return parsedJson(packed.toString('utf8'));
  try {
    return parsedJson(gunzipSync(packed, { maxOutputLength: RELEASE_BYTES_MAX }).toString('utf8'));
  } catch {
    return undefined;
  }
}

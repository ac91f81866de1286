import type { Diagnostic, PathStep } from '../../../shared/diagnostics/diagnostic.js';
import { found } from '../../model/found.js';
import type { SourceDocument } from '../../load/yaml/yaml.js';
import { suggest } from '../../../shared/diagnostics/suggest.js';
import { isObject } from '../../../shared/lib/json.js';
import { kubernetesKinds } from '../../../shared/kubernetes/api/field-types.js';
import { apiGroup } from '../../../shared/kubernetes/names.js';

/**
 * A Secret, at the top of a document and inside another object. Its line is not shown, which may have all of it.
 *
 * @param path of its `kind`
 */
export function secretFound(document: SourceDocument, path: readonly PathStep[]): Diagnostic {
  return found('WEFT0105', {
    origin: { document, path },
    isSecret: true,
    message: 'a Secret in the input would end in git, in clear text',
    help: 'use a SealedSecret or an ExternalSecret: they go to the output like every other object',
  });
}

const KINDS: readonly string[] = ['Secret', 'SecretList'];
const LOWER_CASE = KINDS.map((kind) => kind.toLowerCase());

/**
 * Whether an object is a Secret or a list of Secrets, or is probably meant to be: letter case is ignored, and in the
 * core group, which has only Kubernetes' own kinds, so are typing errors.
 */
export function isSecret(apiVersion: string, kind: string): boolean {
  if (LOWER_CASE.includes(kind.toLowerCase())) return true;
  if (apiGroup(apiVersion) !== '' || kubernetesKinds.includes(`${apiVersion} ${kind}`)) return false;
  const core = kubernetesKinds.filter((name) => !name.includes('/')).map((name) => name.replace(/^\S+ /, ''));
  return KINDS.includes(suggest(kind, [...core, ...KINDS]) ?? '');
}

/** A value that another program fills in or has encrypted: from a template, from a variable, or by SOPS. */
const PLACEHOLDER = /\{\{|\$\{|\$\(|^ENC\[/;

function hasClearValue(values: unknown): boolean {
  const isClear = (value: unknown) => typeof value === 'string' && value !== '' && !PLACEHOLDER.test(value);
  return isObject(values) && Object.values(values).some(isClear);
}

/**
 * Paths of the `kind` of each Secret with values that another object contains, such as the manifests of a ManifestWork or
 * the items of a list. Another program applies them.
 */
export function secretsWithin(value: unknown, path: readonly PathStep[] = []): readonly (readonly PathStep[])[] {
  if (Array.isArray(value)) return value.flatMap((inner, index) => secretsWithin(inner, [...path, index]));
  if (!isObject(value)) return [];
  const { apiVersion, kind, data, stringData, items } = value;
  const isOne = typeof apiVersion === 'string' && typeof kind === 'string' && isSecret(apiVersion, kind);
  const all = isOne ? [data, stringData, ...(Array.isArray(items) ? items.flatMap(valuesOf) : [])] : [];
  if (all.some(hasClearValue)) return [[...path, 'kind']];
  return Object.entries(value).flatMap(([key, inner]) => secretsWithin(inner, [...path, key]));
}

const valuesOf = (item: unknown): readonly unknown[] => (isObject(item) ? [item['data'], item['stringData']] : []);

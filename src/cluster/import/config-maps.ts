import * as z from 'zod';
import { documentKinds } from '../../compile/config/kinds/kinds.js';
import { fieldsOf, unwrap } from '../../compile/config/validate/schema-walk.js';
import { compareText, isObject } from '../../shared/lib/json.js';
import { objectNames } from '../../compile/model/shapes/object-name.js';
import type { NamedObject } from '../../shared/kubernetes/listed-object.js';
import type { ImportedDocument } from './source.js';

/** A ConfigMap that a policy names, as the Cluster document lists it. */
interface ExistingConfigMap {
  readonly name: string;
  readonly keys: readonly string[];
}

/** Names of the ConfigMaps that the policies name, sorted. */
export function configMapNames(documents: readonly ImportedDocument[]): readonly string[] {
  const names = documents.flatMap(({ apiVersion, kind, value }) => {
    const known = documentKinds.find((one) => one.kind === kind && one.apiVersion === apiVersion);
    return known === undefined ? [] : namesIn(known.schema, value);
  });
  return [...new Set(names)].filter((name) => name !== '').sort(compareText);
}

function namesIn(schema: z.ZodType, value: unknown): readonly string[] {
  const inner = unwrap(schema);
  if (typeof value === 'string') return objectNames.get(inner)?.kind === 'ConfigMap' ? [value] : [];
  if (Array.isArray(value)) {
    const element = inner instanceof z.ZodArray ? (inner.element as z.ZodType) : undefined;
    return element === undefined ? [] : value.flatMap((one) => namesIn(element, one));
  }
  if (!isObject(value)) return [];
  return Object.entries(fieldsOf(inner)).flatMap(([key, field]) =>
    Object.hasOwn(value, key) ? namesIn(field, value[key]) : [],
  );
}

/** Those of the names that are ConfigMaps of the namespace, with their keys. */
export function existingConfigMaps(
  names: readonly string[],
  objects: readonly NamedObject[],
  namespace: string,
): readonly ExistingConfigMap[] {
  return names.flatMap((name) => {
    const found = objects.find(
      ({ kind, metadata }) =>
        kind === 'ConfigMap' && metadata.name === name && (metadata.namespace ?? namespace) === namespace,
    );
    const keys = ['data', 'binaryData'].flatMap((field) => (isObject(found?.[field]) ? Object.keys(found[field]) : []));
    return keys.length === 0 ? [] : [{ name, keys: keys.sort(compareText) }];
  });
}

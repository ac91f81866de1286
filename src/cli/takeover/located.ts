import type { ListedObject } from '../../shared/kubernetes/listed-object.js';
import type { LocatedObject } from '../../cluster/takeover/state.js';
import type { ServedKind } from '../../shared/kube-client/discovery.js';
import { shellWord } from '../../shared/lib/escape.js';
import { pathOf } from '../cluster/discovery.js';
import { textBefore } from '../../shared/lib/text.js';

interface Named {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}

export function objectPathOf(kind: ServedKind, { name = '', namespace = 'default' }: Named): string {
  return `${pathOf(kind, namespace)}/${encodeURIComponent(name)}`;
}

/** As kubectl takes it: `daemonsets.apps/x -n y`. */
export function referenceOf({ apiVersion, plural, isNamespaced }: ServedKind, { name = '', namespace }: Named): string {
  const group = apiVersion.includes('/') ? `.${textBefore(apiVersion, '/')}` : '';
  return `${plural}${group}/${shellWord(name)}${isNamespaced && namespace !== undefined ? ` -n ${shellWord(namespace)}` : ''}`;
}

/** An object of a list, whose items have neither API version nor kind, with its path and reference. */
export function located(kind: ServedKind, item: ListedObject): LocatedObject {
  const live = { apiVersion: kind.apiVersion, kind: kind.kind, ...item };
  return { path: objectPathOf(kind, live.metadata ?? {}), reference: referenceOf(kind, live.metadata ?? {}), live };
}

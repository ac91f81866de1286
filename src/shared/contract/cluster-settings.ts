import { configHash } from '../lib/hash.js';
import { canonicalJson, isObject, parsedJson } from '../lib/json.js';
import { DEFAULT_NAMESPACE } from './network-operator.js';

/**
 * Settings of a Cluster document whose change does more than the objects of the output show: a line of its index. A hash stands for the
 * sections that are shown as what they do to the objects.
 */
export interface ClusterSettings {
  /** Absent: the newest one. */
  readonly release?: string;
  /** Absent where there are none. */
  readonly postponedChanges?: readonly string[];
  /** The live cluster that commands reach. */
  readonly access?: Sections['access'];
  /** Where these commands look for the companion; absent where it is the default. */
  readonly namespace?: string;
  /** Hash of the section; absent where it is empty. */
  readonly gitops?: string;
  /** Hash of the patches; absent where there are none. */
  readonly patches?: string;
}

const PREFIX = 'settings ';

/** The sections of a Cluster document that the settings are made from. */
interface Sections {
  readonly release?: string | undefined;
  readonly postponedChanges: readonly string[];
  readonly namespace: string;
  readonly access: { readonly context?: string | undefined; readonly clusterUID?: string | undefined };
  readonly gitops: object;
  readonly patches: readonly unknown[];
}

export function settingsOf(sections: Sections): ClusterSettings {
  const { release, postponedChanges, access, namespace, gitops, patches } = sections;
  return {
    ...(release !== undefined && { release }),
    ...(postponedChanges.length > 0 && { postponedChanges }),
    ...(Object.values(access).some((value) => value !== undefined) && { access }),
    ...(namespace !== DEFAULT_NAMESPACE && { namespace }),
    ...(Object.keys(gitops).length > 0 && { gitops: configHash(canonicalJson(gitops)) }),
    ...(patches.length > 0 && { patches: configHash(canonicalJson(patches)) }),
  };
}

/** The line of the index; none where nothing is set. */
export function settingsLines(settings: ClusterSettings): readonly string[] {
  return Object.keys(settings).length === 0 ? [] : [`${PREFIX}${canonicalJson(settings)}`];
}

/** Whether a line of the index is one of `settingsLines`. */
export function isSettingsLine(line: string): boolean {
  return line.startsWith(PREFIX);
}

/** What the lines of an index say; nothing is set where none of them does. */
export function readSettings(lines: readonly string[]): ClusterSettings {
  const value = parsedJson(lines.find(isSettingsLine)?.slice(PREFIX.length) ?? '{}');
  return isObject(value) ? value : {};
}

import { isObject, parsedJson } from '../lib/json.js';

/** The live cluster that commands reach for a Cluster document (`spec.access`): a line of the index of the output. */
export interface ClusterAccess {
  readonly context?: string | undefined;
  readonly clusterUID?: string | undefined;
}

const PREFIX = 'access ';

/** The line of the index; none where the document names no cluster. */
export function accessLines({ context, clusterUID }: ClusterAccess): readonly string[] {
  if (context === undefined && clusterUID === undefined) return [];
  return [`${PREFIX}${JSON.stringify({ context, clusterUID })}`];
}

/** Whether a line of the index is one of `accessLines`. */
export function isAccessLine(line: string): boolean {
  return line.startsWith(PREFIX);
}

/** What the lines of an index say, in which each side of a merge may have left one. */
export function readAccess(lines: readonly string[]): ClusterAccess {
  const value = parsedJson(lines.find(isAccessLine)?.slice(PREFIX.length) ?? '{}');
  if (!isObject(value)) return {};
  const { context, clusterUID } = value;
  return {
    ...(typeof context === 'string' && { context }),
    ...(typeof clusterUID === 'string' && { clusterUID }),
  };
}

import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { readObjectOfFile } from '../../shared/kubernetes/shapes/file-object.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { isObject, readJson } from '../../shared/lib/json.js';
import type { Io } from '../io.js';

/** Lists of a cluster are megabytes; Node can read texts of at most half a gigabyte. */
const CHARACTERS_MAX = 256 * 1024 * 1024;

/** The objects that `kubectl get -o json` prints: a List, or one object. */
export async function objectsFromStdin(io: Io): Promise<readonly KubernetesObject[] | Diagnostic> {
  if (io.isStdinTerminal) return noObjects('standard input is a terminal');
  const text = await io.readStdin(CHARACTERS_MAX);
  if (text === undefined) return noObjects(`standard input has more than ${CHARACTERS_MAX} characters`);
  const json = readJson(text);
  if ('problem' in json) return noObjects(`standard input cannot be used: ${json.problem}`);
  const { value } = json;
  if (!isObject(value)) return noObjects('standard input is no JSON object');
  const isList = typeof value['kind'] === 'string' && value['kind'].endsWith('List');
  const given: readonly unknown[] = isList ? (Array.isArray(value['items']) ? value['items'] : []) : [value];
  const objects: KubernetesObject[] = [];
  for (const [index, item] of given.entries()) {
    const read = readObjectOfFile(item, index + 1);
    if (read === undefined) continue;
    if ('problem' in read) return noObjects(`standard input cannot be used: ${read.problem}`);
    objects.push(read.object);
  }
  return objects.length === 0 ? noObjects('standard input has no objects') : objects;
}

function noObjects(fact: string): Diagnostic {
  return diagnostic('WEFT0413', {
    message: `${fact}, and \`weft diff -\` compares with the objects there`,
    help: '`kubectl get daemonsets,deployments,configmaps -A -o json | weft diff -`, or let `weft diff --live` list them',
  });
}

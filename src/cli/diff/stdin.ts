import { diagnostic } from '../../diagnostics/codes.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import { malformedField, namedObject } from '../../kubernetes/listed-object.js';
import type { KubernetesObject } from '../../kubernetes/types.js';
import { isObject, listAt, parsedJson } from '../../lib/json.js';
import { asKubernetesObject } from '../../review/changes/objects.js';
import type { Io } from '../io.js';

/** Lists of a cluster are megabytes; Node can read texts of at most half a gigabyte. */
const CHARACTERS_MAX = 256 * 1024 * 1024;

/** The objects that `kubectl get -o json` prints: a List, or one object. */
export async function objectsFromStdin(io: Io): Promise<readonly KubernetesObject[] | Diagnostic> {
  if (io.isStdinTerminal) return noObjects('standard input is a terminal');
  const text = await io.readStdin(CHARACTERS_MAX);
  if (text === undefined) return noObjects(`standard input has more than ${CHARACTERS_MAX} characters`);
  // PowerShell writes a byte order mark at the start of a pipe.
  const value = parsedJson(text.replace(/^\uFEFF/, ''));
  if (!isObject(value)) return noObjects('standard input is no JSON object');
  const isList = typeof value['kind'] === 'string' && value['kind'].endsWith('List');
  const given = (isList ? listAt(value, 'items') : [value]).flatMap((object) => asKubernetesObject(object) ?? []);
  const objects = given.map(namedObject);
  const malformed = objects.indexOf(undefined);
  if (malformed >= 0) {
    const field = malformedField(given[malformed]).join('.');
    return noObjects(`\`${field}\` of object ${malformed + 1} on standard input is not as the API server has it`);
  }
  return given.length === 0 ? noObjects('standard input has no objects') : objects.flatMap((object) => object ?? []);
}

function noObjects(fact: string): Diagnostic {
  return diagnostic('WEFT0413', {
    message: `${fact}, and \`weft diff -\` compares with the objects there`,
    help: '`kubectl get daemonsets,deployments,configmaps -A -o json | weft diff -`, or let `weft diff --live` list them',
  });
}

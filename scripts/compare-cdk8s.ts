import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseAllDocuments } from 'yaml';

/** Compares the output of `npx cdk8s synth` with that of `weft synth`: both must have the same objects, in any files. */
function objectsBelow(folder: string, isObjectFile: (path: string) => boolean): Map<string, unknown> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isObjectFile);
  const objects = files.flatMap((file) =>
    parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => document.toJS() as CommonObject),
  );
  return new Map(objects.map((object) => [identity(object), object]));
}

interface CommonObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

function identity({ kind, metadata }: CommonObject): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}

let isSame = true;
for (const cluster of readdirSync('dist')) {
  const ours = objectsBelow(join('dist', cluster), (path) => path.includes('/') && path.endsWith('.yaml'));
  const theirs = objectsBelow('.cdk8s', (path) => path === `${cluster}.k8s.yaml`);
  for (const key of new Set([...ours.keys(), ...theirs.keys()])) {
    if (isDeepStrictEqual(ours.get(key), theirs.get(key))) continue;
    process.stderr.write(`${cluster}: ${key} differs between weft synth and cdk8s synth\n`);
    isSame = false;
  }
  process.stdout.write(`${cluster}: ${ours.size} objects\n`);
}
if (!isSame) process.exitCode = 1;

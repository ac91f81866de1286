import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReleaseLine, Version } from '../../src/compile/releases/catalog.js';
import { builtSystems, lineEntry, versionEntry, type Given, type Keys } from './entry.js';
import { readOperatorTree } from './operator.js';
import { readImagesPage } from './page.js';

const CATALOG = 'src/compile/releases';
const FINAL = /^v\d+\.\d+\.\d+$/;

/** Where the facts of a version are. */
interface ReleaseSources {
  /** A work tree of the operator's repository. */
  readonly operator?: string | undefined;
  /** Its commit. Default: the one of its HEAD. */
  readonly commit?: string | undefined;
  /** A file with NVIDIA's page of images. */
  readonly page?: string | undefined;
}

/** The texts of the files that change, by their paths below `root`; not formatted. */
export function releaseFiles(
  { operator, commit, page: file }: ReleaseSources,
  root = '.',
): Readonly<Record<string, string>> {
  const tree = operator === undefined ? undefined : readOperatorTree(operator, commit);
  const page = file === undefined ? undefined : readImagesPage(readFileSync(file, 'utf8'));
  const named = [...new Set([tree, page].flatMap((source) => source?.version ?? []))];
  const [version = '', other] = named;
  if (other !== undefined) throw new Error(`the work tree is of ${version}, and the page of ${other}`);
  if (!FINAL.test(version)) throw new Error(`the sources name no final version of the operator, but \`${version}\``);
  const given: Given = { version, ...(tree && { tree }), ...(page && { page }), address: addressOf(version) };
  const release = version.replace(/\.\d+$/, '');
  const lines = entriesIn<ReleaseLine>(join(root, CATALOG));
  const versions = entriesIn<Version>(join(root, CATALOG, 'versions'));
  const entry = versionEntry(given, versions.get(version), keysOf([...versions.values()]));
  return {
    [join(CATALOG, 'versions', `${version}.json`)]: JSON.stringify(entry, undefined, 2),
    [join(CATALOG, `${release}.json`)]: JSON.stringify(lineOf(given, release, lines), undefined, 2),
    [join(CATALOG, 'entries.ts')]: indexText([...lines.keys(), release], [...versions.keys(), version]),
  };
}

/** Where NVIDIA publishes the page of a version: v26.10.0 is `kubernetes26100`. */
function addressOf(version: string): string {
  const digits = version.replace(/\D/g, '');
  return `https://docs.nvidia.com/networking/display/kubernetes${digits}/advanced/images-sha256.html`;
}

/** The files of a folder by their names without `.json`. */
function entriesIn<Entry>(folder: string): ReadonlyMap<string, Entry> {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return new Map(
    names.map((name) => [name.replace(/\.json$/, ''), JSON.parse(readFileSync(join(folder, name), 'utf8')) as Entry]),
  );
}

function keysOf(versions: readonly Version[]): Keys {
  return new Map(
    versions.flatMap(({ images }) => Object.entries(images).map(([key, { image }]) => [image, key] as const)),
  );
}

function lineOf(given: Given, release: string, lines: ReadonlyMap<string, ReleaseLine>): ReleaseLine {
  const known = lines.get(release);
  if (known === undefined) {
    const before = newestFirst([...lines.keys()])[0];
    return lineEntry(given, release, lines.get(before ?? '') ?? fail('the catalog has no release'));
  }
  const driverSystems = known.driverSystems ?? builtSystems(given);
  if (driverSystems === known.driverSystems || driverSystems === undefined) return known;
  const missing = Object.fromEntries(Object.entries(known.missing).filter(([field]) => field !== 'driverSystems'));
  const validated = { 'driverSystems.validated': 'the page of supported platforms was not read' };
  return { ...known, missing: { ...missing, ...validated }, driverSystems };
}

function fail(message: string): never {
  throw new Error(message);
}

function newestFirst(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
}

/** The module that imports all files: the program has no folder to read. */
function indexText(lines: readonly string[], versions: readonly string[]): string {
  const idOf = (name: string) => name.replaceAll('.', '_');
  const imported = (names: readonly string[], folder: string) =>
    [...names].sort().map((name) => `import ${idOf(name)} from './${folder}${name}.json' with { type: 'json' };`);
  const [ofLines, ofVersions] = [newestFirst(lines), newestFirst(versions)];
  return [
    '// Written by `npm run release:add`: the files of the catalog, newest first.',
    ...imported(ofLines, ''),
    ...imported(ofVersions, 'versions/'),
    '',
    `export const lines = [${ofLines.map(idOf).join(', ')}];`,
    '',
    `export const versions = [${ofVersions.map(idOf).join(', ')}];`,
  ].join('\n');
}

import { writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { knownDigest } from '../../compile/releases/digests.js';
import { linkNotFollowed, reasonOf } from '../../compile/load/load.js';
import { LOCK_FILE, lockText, parsePins, pinText } from '../../compile/load/lock-file.js';
import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { linkOnTheWay } from '../../shared/files/links.js';
import type { Pin, Pins } from '../../shared/kubernetes/image-pins.js';
import { escapeLine } from '../../shared/lib/escape.js';
import { counted } from '../../shared/lib/listed.js';
import { leftBehindText } from '../compile/left-behind.js';
import type { Compiled, Rendered } from '../compile/loaded.js';
import { readGiven } from '../given-file.js';
import { eachCluster, foldersOf } from '../images/each-cluster.js';
import { listedImages } from '../images/listed.js';
import { EXIT, type ExitCode, type Io } from '../io.js';
import { unusedPin } from '../problems.js';
import { startProgress } from '../progress.js';
import { refused, report } from '../report.js';
import { digestAsker, type Answer } from './digest-tools.js';
import { digestTools, type LockOptions } from './options.js';
import { pinDifferences, updatedPins } from './pins.js';

const CLOSING = 'nothing written';

/** A cluster whose images are pinned. */
interface Lockable {
  readonly path: string;
  /** The path in messages. */
  readonly file: string;
  /** Without those that are named with a digest. Sorted. */
  readonly images: readonly string[];
  readonly before: Pins | undefined;
  /** A link on the way to the file, which is not followed. */
  readonly link?: string;
}

/** `weft lock`: pins the images of clusters to digests. Nothing is written when any cluster has an error. */
export async function lock(given: readonly string[], options: LockOptions, io: Io): Promise<ExitCode> {
  const closing = options.check ? undefined : CLOSING;
  const folders = foldersOf(given, io);
  if ('code' in folders) return refused([folders], 'text', io, closing);
  const from = await givenPins(options, io);
  if ('diagnostics' in from) return refused(from.diagnostics, 'text', io, closing);
  const all = { ...options, isUnpinned: true, takesLeftBehind: given.length === 0 };
  const { clusters, found, left } = await eachCluster(folders, all, io, (result, compiled) =>
    lockable(result, compiled, io),
  );
  found.add(clusters.flatMap(({ link }) => (link === undefined ? [] : [linkNotFollowed(link)])));
  if (found.hasErrors()) return refused(found.all, 'text', io, closing);
  const digestOf = resolver(options, from.pins, io);
  const differences = options.check
    ? clusters.flatMap((cluster) => differencesOf(cluster, digestOf))
    : writeAll(clusters, options, digestOf, io);
  report([...found.all, ...differences], 'text', io);
  io.stderr(leftBehindText(left));
  return differences.length > 0 ? EXIT.differences : EXIT.ok;
}

async function lockable(result: Rendered, { folder, loaded }: Compiled, io: Io): Promise<Lockable> {
  const path = resolve(io.cwd, folder, LOCK_FILE);
  const link = linkOnTheWay(io.cwd, path);
  const listed = await listedImages(result, io);
  return {
    path,
    file: relative(io.cwd, path),
    images: listed.map(({ image }) => image).filter((image) => !image.includes('@')),
    before: loaded?.pins,
    ...(link !== undefined && { link: relative(io.cwd, link) }),
  };
}

/** The pins of `--from`. */
async function givenPins(
  { from }: LockOptions,
  io: Io,
): Promise<{ readonly pins: Pins | undefined } | { readonly diagnostics: readonly Diagnostic[] }> {
  if (from === undefined) return { pins: undefined };
  const text = await readGiven(from, io);
  if (typeof text !== 'string') {
    const message = `\`${from}\` cannot be read: ${text.problem}`;
    return { diagnostics: [diagnostic('WEFT0075', { message, help: 'name a file with lines of `image digest`' })] };
  }
  const { pins, diagnostics } = parsePins(from, text);
  return diagnostics.length > 0 ? { diagnostics } : { pins };
}

/**
 * Where digests come from: the pages of the releases; then `--from`, or a tool. A check without `--with` and `--from` asks no registry.
 */
function resolver(
  { with: tool, from, check = false }: LockOptions,
  given: Pins | undefined,
  { env }: Io,
): (image: string) => Answer {
  const tools = tool !== undefined ? [tool] : from !== undefined || check ? [] : digestTools;
  const ask = digestAsker(tools, env);
  return (image) => {
    const published = knownDigest(image)?.digest;
    const pin = published === undefined ? given?.get(image) : { digest: published };
    if (pin !== undefined) return pin;
    return tools.length > 0 ? ask(image) : { problem: `\`${from ?? LOCK_FILE}\` does not have it` };
  };
}

const UPDATE = 'run `weft lock`';

function differencesOf(
  { file, images, before = new Map() }: Lockable,
  digestOf: (image: string) => Answer,
): readonly Diagnostic[] {
  const { missing, unused, moved } = pinDifferences(before, images, digestOf);
  const at = (code: 'WEFT0076' | 'WEFT0077', message: string, help: string) =>
    diagnostic(code, { message, location: { file }, help });
  return [
    ...missing.map((image) => at('WEFT0076', `the image \`${image}\` has no pin`, UPDATE)),
    ...unused.map((image) => unusedPin(image, file)),
    ...moved.map(({ image, pin, now }) =>
      at(
        'WEFT0077',
        `the image \`${image}\` is pinned to ${pin}, and the tag has ${now} now`,
        'keep the pin, or run `weft lock --update`; nodes are drained for another driver',
      ),
    ),
  ];
}

/** Writes the file of each cluster that changes, and returns what is not pinned. */
function writeAll(
  clusters: readonly Lockable[],
  options: LockOptions,
  digestOf: (image: string) => Answer,
  io: Io,
): readonly Diagnostic[] {
  const progress = startProgress(io);
  const problems: Diagnostic[] = [];
  for (const [index, cluster] of clusters.entries()) {
    progress.step(`pinning ${cluster.file}`, index + 1, clusters.length);
    const { file, path, images, before = new Map<string, Pin>() } = cluster;
    const { pins, unresolved } = updatedPins(before, images, options, digestOf);
    const text = lockText(pins);
    const failure = cluster.before !== undefined && text === lockText(before) ? undefined : write(path, file, text);
    if (failure !== undefined) problems.push(failure);
    problems.push(
      ...[...unresolved].map(([image, problem]) =>
        diagnostic('WEFT0076', {
          message: `the digest of \`${image}\` is not known: ${problem}`,
          location: { file },
          help: 'install one of the tools, or write `image digest` in a file for `--from`',
        }),
      ),
    );
    progress.clear();
    io.stderr(`${escapeLine(`${file}: ${changesText(before, pins)}`)}\n`);
  }
  return problems;
}

function write(path: string, file: string, text: string): Diagnostic | undefined {
  try {
    writeFileSync(path, text);
    return undefined;
  } catch (error) {
    const message = `the file cannot be written: ${reasonOf(error).text}`;
    return diagnostic('WEFT0057', { message, location: { file }, help: 'see that its folder can be written' });
  }
}

function changesText(before: Pins, after: Pins): string {
  const added = [...after.keys()].filter((image) => !before.has(image)).length;
  const removed = [...before.keys()].filter((image) => !after.has(image)).length;
  const changed = [...after].filter(([image, pin]) => pinText(before.get(image) ?? pin) !== pinText(pin)).length;
  const changes = Object.entries({ added, changed, removed }).flatMap(([what, count]) =>
    count > 0 ? [`${count} ${what}`] : [],
  );
  return [counted(after.size, 'image'), ...changes].join(', ');
}

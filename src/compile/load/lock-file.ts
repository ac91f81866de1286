import { join } from 'node:path';
import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { readRegularFile } from '../../shared/files/read-file.js';
import { isImageReference } from '../../shared/kubernetes/image-reference.js';
import { compareText } from '../../shared/lib/json.js';
import { pinOf, type Pin, type Pins } from '../../shared/kubernetes/image-pins.js';
import { contentOf, decodeUtf8, fileBytesMax } from './load.js';
import { textPlaces } from './yaml/text.js';

/** The file of a cluster's folder that pins its images. */
export const LOCK_FILE = 'weft.lock';

const HEADER = '# The digest of each image of the cluster, and its platforms. Written by `weft lock`.\n';
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const PLATFORMS = /^[a-z0-9]+\/[a-z0-9]+(?:,[a-z0-9]+\/[a-z0-9]+)*$/;
const LINE_HELP = 'write a line as `image digest`, or delete the file and run `weft lock`';

/** What a text with a line for each image says. */
interface ReadPins {
  readonly pins: Pins;
  readonly diagnostics: readonly Diagnostic[];
}

/** The pins of a folder; `undefined` if it has no `weft.lock`. */
export function readLock(folder: string, file: string): ReadPins | undefined {
  const read = readRegularFile(join(folder, LOCK_FILE), { bytesMax: fileBytesMax });
  if (read.kind === 'failed' && ['ENOENT', 'ENOTDIR'].includes(read.error.code ?? '')) return undefined;
  const content = contentOf(read, file);
  if (content.type === 'failed') return { pins: new Map(), diagnostics: content.result.diagnostics };
  const text = decodeUtf8(file, content.bytes);
  return typeof text === 'string' ? parsePins(file, text) : { pins: new Map(), diagnostics: [text] };
}

/** Lines with an error after which no line is read: the file is something else. */
const ERRORS_MAX = 10;

/** Reads lines of `image digest`, some with platforms after them. Empty lines and those that begin with `#` say nothing. */
export function parsePins(file: string, text: string): ReadPins {
  const places = textPlaces(file, text);
  const pins = new Map<string, Pin>();
  const diagnostics: Diagnostic[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const end = start + line.length;
    const words = line.trim().split(/\s+/);
    const [image = '', digest = '', platforms] = words;
    const isEmpty = image === '' || image.startsWith('#');
    const message = isEmpty ? undefined : lineProblem(words, pins);
    if (message !== undefined) {
      diagnostics.push(diagnostic('WEFT0075', { message, location: places.locate(start, end), help: LINE_HELP }));
    } else if (!isEmpty) pins.set(image, pinOf(digest, platforms?.split(',')));
    start = end + 1;
    if (diagnostics.length === ERRORS_MAX) break;
  }
  return { pins, diagnostics };
}

function lineProblem([image = '', digest = '', platforms, ...rest]: readonly string[], pins: Pins): string | undefined {
  if (!isImageReference(image) || image.includes('@')) return 'the line does not begin with an image without a digest';
  if (!DIGEST.test(digest)) return 'the digest is not `sha256:` and 64 of the digits 0-9 and a-f';
  if (platforms !== undefined && !PLATFORMS.test(platforms))
    return `\`${platforms}\` is no list of platforms such as \`linux/amd64,linux/arm64\``;
  if (rest.length > 0) return 'the line has more than an image, a digest and platforms';
  return pins.has(image) ? 'the image has a line above' : undefined;
}

/** The text of a pin in a `weft.lock`. */
export const pinText = ({ digest, platforms }: Pin): string =>
  [digest, ...(platforms ? [platforms.join(',')] : [])].join(' ');

/** The text of a `weft.lock`: sorted, so that changes of two people to different images merge. */
export function lockText(pins: Pins): string {
  const lines = [...pins].sort(([a], [b]) => compareText(a, b)).map(([image, pin]) => `${image} ${pinText(pin)}\n`);
  return [HEADER, ...lines].join('');
}

import { spawnSync } from 'node:child_process';
import { pinOf, type Pin } from '../../shared/kubernetes/image-pins.js';
import {
  fullReference,
  isImageReference,
  splitReference,
  withVersion,
} from '../../shared/kubernetes/image-reference.js';
import { sha256 } from '../../shared/lib/hash.js';
import { compareText, isObject, listAt, parsedJson, textAt } from '../../shared/lib/json.js';
import type { Io } from '../io.js';
import { digestTools, type DigestTool } from './options.js';

/** What an image is pinned to, or why that is not known. */
export type Answer = Pin | { readonly problem: string };

/** The arguments with which a tool prints the manifest of an image as the registry has it, and the configuration of an image for one platform. */
interface Calls {
  readonly manifest: (image: string) => readonly string[];
  readonly configuration: (image: string) => readonly string[];
}

const CALLS: Readonly<Record<DigestTool, Calls>> = {
  crane: { manifest: (image) => ['manifest', image], configuration: (image) => ['config', image] },
  skopeo: {
    manifest: (image) => ['inspect', '--raw', `docker://${image}`],
    configuration: (image) => ['inspect', '--raw', '--config', `docker://${image}`],
  },
  regctl: {
    manifest: (image) => ['manifest', 'get', '--format', 'raw-body', image],
    configuration: (image) => ['image', 'config', '--format', 'raw-body', image],
  },
  docker: {
    manifest: (image) => ['buildx', 'imagetools', 'inspect', '--raw', image],
    configuration: (image) => ['buildx', 'imagetools', 'inspect', '--format', '{{json .Image}}', image],
  },
};

const TIMEOUT_MILLISECONDS = 60_000;

/** Asks the first tool that is installed, for each image once. A tool is started without a shell. */
export function digestAsker(tools: readonly DigestTool[], env: Io['env']): (image: string) => Answer {
  const answers = new Map<string, Answer>();
  const left = [...tools];
  const ask = (image: string): Answer => {
    if (!isImageReference(image)) return { problem: 'it is no reference of an image' };
    for (let [tool] = left; tool !== undefined; [tool] = left) {
      const answer = run(tool, fullReference(image), env);
      if (answer !== 'not-installed') return answer;
      left.shift();
    }
    return { problem: missing(tools) };
  };
  return (image) => {
    const answer = answers.get(image) ?? ask(image);
    answers.set(image, answer);
    return answer;
  };
}

function missing(tools: readonly DigestTool[]): string {
  const [first = '', ...others] = tools;
  if (others.length === 0) return `\`${first}\` is not installed`;
  return `none of ${digestTools.map((tool) => `\`${tool}\``).join(', ')} is installed`;
}

/** What each kind of manifest has one of: an index, an image, and an image of the first schema of Docker. */
const PARTS = ['manifests', 'config', 'fsLayers'] as const;

/** The digest of a manifest is that of its bytes; those of a tag for several platforms are the index, which names these. */
function run(tool: DigestTool, image: string, env: Io['env']): Answer | 'not-installed' {
  const answer = output(tool, CALLS[tool].manifest(image), env);
  if (answer === 'not-installed' || 'problem' in answer) return answer;
  const manifest = parsedJson(answer.printed.toString('utf8'));
  if (!isObject(manifest) || !PARTS.some((part) => isObject(manifest[part]) || Array.isArray(manifest[part])))
    return { problem: `\`${tool}\` printed no manifest` };
  const digest = `sha256:${sha256(answer.printed)}`;
  if (Array.isArray(manifest['manifests'])) return pinOf(digest, platformsOf(listAt(manifest, 'manifests')));
  const one = output(tool, CALLS[tool].configuration(withVersion(splitReference(image).repository, digest)), env);
  const configuration =
    typeof one === 'object' && 'printed' in one ? parsedJson(one.printed.toString('utf8')) : undefined;
  return pinOf(digest, platformsOf([{ platform: configuration }]));
}

/** The platforms that manifests name; `undefined` if none does. An attestation is for the platform `unknown/unknown`. */
function platformsOf(manifests: readonly unknown[]): readonly string[] | undefined {
  const platforms = manifests.flatMap((manifest) => {
    const [os, architecture] = [textAt(manifest, 'platform', 'os'), textAt(manifest, 'platform', 'architecture')];
    return os === undefined || architecture === undefined || os === 'unknown' ? [] : [`${os}/${architecture}`];
  });
  return platforms.length === 0 ? undefined : [...new Set(platforms)].sort(compareText);
}

/** By the code of the error of Node. */
const FAILURES: Readonly<Record<string, string>> = {
  ETIMEDOUT: 'gave no answer in a minute',
  ENOBUFS: 'printed more than a manifest has',
};

/** What a tool prints. */
function output(
  tool: DigestTool,
  args: readonly string[],
  env: Io['env'],
): { readonly printed: Buffer } | { readonly problem: string } | 'not-installed' {
  const { status, stdout, stderr, error } = spawnSync(tool, args, {
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MILLISECONDS,
  });
  if (error !== undefined) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'not-installed';
    return { problem: `\`${tool}\` ${FAILURES[code ?? ''] ?? 'cannot be started'}` };
  }
  const said = stderr.toString('utf8').trim().split('\n').at(-1) ?? '';
  if (status !== 0) return { problem: `\`${tool}\` says: ${said === '' ? 'nothing' : said}` };
  return { printed: stdout };
}

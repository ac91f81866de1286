import { spawnSync } from 'node:child_process';
import { fullReference, isImageReference } from '../../shared/kubernetes/image-reference.js';
import { sha256 } from '../../shared/lib/hash.js';
import type { Io } from '../io.js';
import { digestTools, type DigestTool } from './options.js';

/** The digest of an image, or why it is not known. */
export type Answer = { readonly digest: string } | { readonly problem: string };

interface Call {
  readonly args: (image: string) => readonly string[];
  readonly digest: (stdout: Buffer) => string;
}

const printed = (stdout: Buffer): string => stdout.toString('utf8').trim();

/** The digest of a manifest is that of its bytes; those of a tag for several platforms are the index. */
const ofManifest = (stdout: Buffer): string => `sha256:${sha256(stdout)}`;

const CALLS: Readonly<Record<DigestTool, Call>> = {
  crane: { args: (image) => ['digest', image], digest: printed },
  skopeo: { args: (image) => ['inspect', '--raw', `docker://${image}`], digest: ofManifest },
  regctl: { args: (image) => ['image', 'digest', image], digest: printed },
  docker: { args: (image) => ['buildx', 'imagetools', 'inspect', '--raw', image], digest: ofManifest },
};

const TIMEOUT_MILLISECONDS = 60_000;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

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

function run(tool: DigestTool, image: string, env: Io['env']): Answer | 'not-installed' {
  const { args, digest } = CALLS[tool];
  const { status, stdout, stderr, error } = spawnSync(tool, args(image), {
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MILLISECONDS,
  });
  if (error !== undefined) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'not-installed';
    return { problem: `\`${tool}\` ${code === 'ETIMEDOUT' ? 'gave no answer in a minute' : 'cannot be started'}` };
  }
  const said = printed(stderr).split('\n').at(-1) ?? '';
  if (status !== 0) return { problem: `\`${tool}\` says: ${said === '' ? 'nothing' : said}` };
  const found = digest(stdout);
  return stdout.length > 0 && DIGEST.test(found) ? { digest: found } : { problem: `\`${tool}\` printed no digest` };
}

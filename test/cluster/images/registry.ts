import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startGuarded, until, type GuardedProcess } from '../bed/guarded-process.js';
import { binaries } from '../bed/test-bed.js';

const run = promisify(execFile);

export interface Registry {
  readonly process: GuardedProcess;
  readonly address: string;
}

/** Runs crane and returns what it prints. */
export type Crane = (...args: readonly string[]) => Promise<string>;

/**
 * Starts an empty registry.
 *
 * @param address with port 0: a free one
 * @param before the command that starts it, such as one that enters a network
 */
export async function startRegistry(
  name: string,
  folder: string,
  { address = '127.0.0.1:0', before = [] }: { readonly address?: string; readonly before?: readonly string[] } = {},
): Promise<Registry> {
  const logFile = join(folder, `${name}.log`);
  const serve = [join(binaries().registry, 'crane'), 'registry', 'serve', '--address', address];
  const [command = '', ...args] = [...before, ...serve];
  const process = startGuarded(name, command, args, { logFile, workingDirectory: folder });
  const port = await until(
    `${name} serves`,
    () => /serving on port (\d+)/.exec(readFileSync(logFile, 'utf8'))?.[1],
    30,
  );
  return { process, address: `${address.split(':')[0] ?? ''}:${port}` };
}

export const crane: Crane = async (...args) => {
  const { stdout } = await run(join(binaries().registry, 'crane'), [...args]);
  return stdout.trim();
};

/**
 * Puts an image for these platforms at a tag; returns its digest. For one platform it is no index.
 *
 * @param content two images with the same have the same digest. Default: the tag
 */
export async function putImage(
  to: string,
  folder: string,
  {
    ask = crane,
    architectures = ['amd64', 'arm64'],
    content = to,
  }: { readonly ask?: Crane; readonly architectures?: readonly string[]; readonly content?: string } = {},
): Promise<string> {
  const layer = join(folder, 'layer.tar');
  writeFileSync(join(folder, 'file'), content);
  await run('tar', ['-cf', layer, '-C', folder, 'file']);
  const parts = architectures.map((architecture) => ({ architecture, name: `${to}-${architecture}` }));
  for (const { architecture, name } of parts) {
    await ask('append', '-f', layer, '-t', name);
    await ask('mutate', '--set-platform', `linux/${architecture}`, '-t', name, name);
  }
  const names = parts.map(({ name }) => name);
  if (names.length === 1) await ask('copy', names[0] ?? '', to);
  else await ask('index', 'append', ...names.flatMap((name) => ['-m', name]), '-t', to);
  return ask('digest', to);
}

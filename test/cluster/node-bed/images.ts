import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** An image from files of this computer. */
export interface ImageOptions {
  /** All names by which pods refer to it. */
  readonly names: readonly string[];
  /** Whether it has busybox with its commands. Default: true. */
  readonly hasBusybox?: boolean;
  /** Files by their path in the image, each copied from a path here, or with the text in it. */
  readonly files?: Readonly<Record<string, string | { readonly text: string }>>;
  /** Links by their path in the image. */
  readonly links?: Readonly<Record<string, string>>;
  /** Default: it waits. */
  readonly entrypoint?: readonly string[];
}

/** Writes the archive of an image as `docker save` does, and returns its path. */
export function writeImage(folder: string, title: string, options: ImageOptions): string {
  const work = join(folder, title);
  const root = join(work, 'root');
  for (const path of ['bin', 'etc', 'proc', 'sys', 'dev', 'tmp']) mkdirSync(join(root, path), { recursive: true });
  if (options.hasBusybox !== false) {
    copyFileSync(commandPath('busybox'), join(root, 'bin/busybox'));
    for (const name of busyboxCommands()) symlinkSync('busybox', join(root, 'bin', name));
  }
  for (const [path, from] of Object.entries(options.files ?? {})) {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    rmSync(target, { force: true });
    if (typeof from === 'string') cpSync(from, target, { dereference: true });
    else writeFileSync(target, from.text, { mode: 0o755 });
  }
  for (const [path, to] of Object.entries(options.links ?? {})) {
    rmSync(join(root, path), { force: true });
    symlinkSync(to, join(root, path));
  }
  const layer = join(work, 'layer.tar');
  execFileSync('tar', ['--create', '--file', layer, '--directory', root, '--owner=0', '--group=0', '.']);
  writeFileSync(join(work, 'config.json'), JSON.stringify(configOf(layer, options.entrypoint)));
  const manifest = [{ Config: 'config.json', RepoTags: options.names, Layers: ['layer.tar'] }];
  writeFileSync(join(work, 'manifest.json'), JSON.stringify(manifest));
  const archive = join(folder, `${title}.tar`);
  execFileSync('tar', [
    '--create',
    '--file',
    archive,
    '--directory',
    work,
    'manifest.json',
    'config.json',
    'layer.tar',
  ]);
  rmSync(work, { recursive: true });
  return archive;
}

function configOf(layer: string, entrypoint: readonly string[] = ['/bin/tail', '-f', '/dev/null']): object {
  const digest = createHash('sha256').update(readFileSync(layer)).digest('hex');
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  return {
    ...{ architecture, os: 'linux' },
    config: { Env: ['PATH=/usr/bin:/bin'], Entrypoint: entrypoint },
    rootfs: { type: 'layers', diff_ids: [`sha256:${digest}`] },
  };
}

/** Programs with the libraries that they load, as files of an image: paths here by paths in the image. */
export function programsWithLibraries(programs: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  // For a program without libraries `ldd` fails.
  const printed = spawnSync('ldd', Object.values(programs), { encoding: 'utf8' }).stdout;
  const libraries = printed.match(/\/\S+(?= \()/g) ?? [];
  return { ...programs, ...Object.fromEntries(libraries.map((path) => [path, path])) };
}

function busyboxCommands(): readonly string[] {
  const names = execFileSync('busybox', ['--list'], { encoding: 'utf8' }).trim().split('\n');
  return names.filter((name) => name !== 'busybox');
}

function commandPath(name: string): string {
  return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
}

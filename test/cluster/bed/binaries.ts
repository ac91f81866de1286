import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { report } from './report.js';

/**
 * Go modules, each in its own folder, because their dependencies would conflict in one module. Those with a `main.go` are built from
 * it, the others have no code and only name the programs to build.
 */
const MODULES = [
  'controlplane',
  'kustomize',
  'kubeconform',
  'flux',
  'argocd',
  'helm',
  'promtool',
  'nfd',
  'registry',
  'regctl',
  'buildx',
] as const;
/** Modules of the programs that run on a real node. */
const NODE_MODULES = ['kubelet', 'cniplugins', 'standins'] as const;
type Module = (typeof MODULES | typeof NODE_MODULES)[number];

/** Prometheus' own tag leaves out the clients of cloud providers, which are most of the code of promtool. */
const BUILD_TAGS: Readonly<Partial<Record<Module, string>>> = { promtool: 'remove_all_sd' };

/** Modules of programs that run in images without a C library. */
const STATIC_MODULES: readonly Module[] = ['standins'];

/** Files of a required module that its image has beside the programs: the module and paths in it. */
const MODULE_FILES: Readonly<Partial<Record<Module, readonly [string, ...string[]]>>> = {
  cniplugins: [
    'github.com/k8snetworkplumbingwg/whereabouts',
    'script/install-cni.sh',
    'script/lib.sh',
    'script/token-watcher.sh',
  ],
};

/** How long a first build takes on two cores, if that is more than a minute. */
const HINTS: Readonly<Partial<Record<Module, string>>> = {
  controlplane: '4 to 8 minutes and about 100 MB of downloads the first time',
  buildx: 'about two minutes and 70 MB of downloads the first time',
  nfd: 'about two minutes the first time',
  kubelet: 'about two minutes the first time',
};

/** Folders with the programs of each module. */
export type Binaries = Readonly<Record<Module, string>>;

/** The `go` command, if it is installed; it is often not in the path. */
export function findGo(): string | undefined {
  return ['go', '/usr/local/go/bin/go'].find((command) => spawnSync(command, ['version']).status === 0);
}

/** Builds missing programs below `here`, the folder `test/cluster`. The first build takes minutes, and reports that. */
export async function buildBinaries(go: string, here: string, withNode: boolean): Promise<Binaries> {
  const folders: Record<string, string> = {};
  for (const name of [...MODULES, ...(withNode ? NODE_MODULES : [])]) folders[name] = await buildModule(go, here, name);
  return folders as Binaries;
}

/** Builds one module if it is missing; returns the folder with its programs. */
export async function buildModule(go: string, here: string, name: Module): Promise<string> {
  const source = join(here, name);
  const cache = join(here, '.cache');
  const target = join(cache, `${name}-${cacheKey(go, source, MODULE_FILES[name])}`);
  if (existsSync(target)) return target;
  mkdirSync(cache, { recursive: true });
  // The folder appears only when it is complete, also when two runs build at once.
  const unfinished = mkdtempSync(join(cache, 'unfinished-'));
  const begin = Date.now();
  report(`building ${name} with Go: ${HINTS[name] ?? 'about a minute'}, cached in ${cache}`);
  const beat = setInterval(() => report(`still building ${name}, ${secondsSince(begin)} s`), 30_000);
  try {
    const what = existsSync(join(source, 'main.go')) ? '.' : 'tool';
    const environment = STATIC_MODULES.includes(name) ? { CGO_ENABLED: '0' } : {};
    await runGo(go, source, environment, [
      'build',
      '-trimpath',
      '-ldflags',
      linkerFlags(name, source),
      '-tags',
      BUILD_TAGS[name] ?? '',
      '-o',
      `${unfinished}/`,
      what,
    ]);
    copyModuleFiles(go, source, name, unfinished);
    if (!existsSync(target)) renameSync(unfinished, target);
  } finally {
    clearInterval(beat);
    rmSync(unfinished, { recursive: true, force: true });
  }
  report(`built ${name} in ${secondsSince(begin)} s`);
  return target;
}

function copyModuleFiles(go: string, source: string, name: Module, target: string): void {
  const [module, ...files] = MODULE_FILES[name] ?? [];
  if (module === undefined) return;
  const folder = execFileSync(go, ['list', '-m', '-f', '{{.Dir}}', module], { cwd: source, encoding: 'utf8' }).trim();
  for (const file of files) {
    const copy = join(target, basename(file));
    copyFileSync(join(folder, file), copy);
    // Go's cache of modules has only files that can be read.
    chmodSync(copy, 0o755);
  }
}

/** Without these the API server and the kubelet say that they are version v0.0.0-master. */
function linkerFlags(name: Module, source: string): string {
  const strip = '-s -w';
  if (name !== 'controlplane' && name !== 'kubelet') return strip;
  const [, version = '', major = '', minor = ''] =
    /k8s\.io\/kubernetes (v(\d+)\.(\d+)\.\S+)/.exec(readFileSync(join(source, 'go.mod'), 'utf8')) ?? [];
  const base = '-X k8s.io/component-base/version';
  return `${strip} ${base}.gitVersion=${version} ${base}.gitMajor=${major} ${base}.gitMinor=${minor} -X k8s.io/client-go/pkg/version.gitVersion=${version}`;
}

function cacheKey(go: string, source: string, moduleFiles: readonly string[] = []): string {
  const hash = createHash('sha256').update(execFileSync(go, ['version']));
  for (const file of readdirSync(source).sort()) hash.update(readFileSync(join(source, file)));
  for (const file of moduleFiles) hash.update(file);
  return hash.digest('hex').slice(0, 12);
}

function runGo(
  go: string,
  workingDirectory: string,
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<void> {
  return new Promise((done, failed) => {
    const env = { ...process.env, ...environment };
    const child = spawn(go, args, { cwd: workingDirectory, env, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', failed);
    child.once('exit', (code) => (code === 0 ? done() : failed(new Error(`go ${args[0] ?? ''} failed`))));
  });
}

function secondsSince(begin: number): number {
  return Math.round((Date.now() - begin) / 1000);
}

import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { PACKAGE_MANAGERS, type PackageManager } from './package-managers.js';

/**
 * Packs the library, unpacks it next to the packages that it needs, and uses it like a user: from modules and from CommonJS, compiled
 * under each module resolution, and bundled. `npm run build` and `npm run build:types` come first.
 */
const PROGRAM = `import { App, Chart, Testing } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-28';
import { Cluster, MacvlanNetwork, OfedDriver, type NodePoolInput } from 'weft-gitops';

const chart = new Chart(new App(), 'network');
const pool: NodePoolInput = { name: 'h100', osName: 'ubuntu', osVersion: '24.04', arch: 'amd64' };
const cluster = new Cluster(chart, 'east', { spec: { release: 'v26.4', nodePools: [pool] } });
const driver = new OfedDriver(chart, 'driver', { cluster });
const network = new MacvlanNetwork(chart, 'rail', { cluster, master: 'ens1f0' });
network.attachTo(new Deployment(chart, 'trainer', { containers: [{ image: 'trainer:1' }] }), { interface: 'rdma0' });
const name: string | undefined = driver.daemonSets[0]?.toJson().spec.template.spec.containers[0]?.name;
console.log(Testing.synth(chart).length, name);
`;

/** Compiler options of a user; one file is a module, the other CommonJS. */
const RESOLUTIONS: readonly {
  readonly moduleResolution: string;
  readonly module: string;
  readonly files: readonly string[];
}[] = [
  { moduleResolution: 'bundler', module: 'esnext', files: ['program.mts'] },
  { moduleResolution: 'node16', module: 'node16', files: ['program.mts', 'program.cts'] },
  { moduleResolution: 'nodenext', module: 'nodenext', files: ['program.mts', 'program.cts'] },
];

/** What users need: the command, the library, the documentation of both, and examples. Each matches a packed file. */
const PACKED: readonly RegExp[] = [
  /^(?:package\.json|LICENSE)$/,
  /^(?:README|CHANGELOG|SECURITY)\.md$/,
  /^bin\/(?:weft|compiled-code|node-version)\.cjs$/,
  /^lib\/(?:weft|companion|index)\.cjs$/,
  /^lib\/index\.(?:js|d\.ts|d\.cts)$/,
  /^lib\/weft\.(?:partial\.)?schema\.json$/,
  /^lib\/THIRD-PARTY-NOTICES\.txt$/,
  /^docs\/(?:errors|guide|reference)\/[\w/-]+\.md$/,
  /^docs\/llms\.txt$/,
  /^docs\/guide\/images\/[\w-]+\.png$/,
  /^docs\/api\/weft-gitops\.d\.ts$/,
  /^src\/compile\/(?:addons|components|networks)\/[\w-]+\/README\.md$/,
  /^clusters\/[\w-]+\/[\w-]+\.(?:yaml|ts)$/,
  /^examples\/(?:ci|constructs|many-clusters)\/[\w/.-]+$/,
  /^examples\/renovate\.json$/,
];
const root = resolve('.');
const folder = mkdtempSync(join(tmpdir(), 'weft-package-'));
const inFolder = (file: string, ...args: readonly string[]) =>
  execFileSync(file, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/** The packed package in the folder. */
const tarball = () => readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';

/** Installs the packed files as the package, and the packages of this repository next to it. */
function install(): void {
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: root });
  const place = join(folder, 'node_modules/weft-gitops');
  mkdirSync(place, { recursive: true });
  inFolder('tar', 'xzf', tarball(), '-C', place, '--strip-components=1');
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: object;
    peerDependencies: object;
  };
  for (const name of ['@types/node', ...Object.keys({ ...dependencies, ...peerDependencies })]) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link);
  }
  writeFileSync(join(folder, 'package.json'), '{ "name": "user", "private": true }\n');
  for (const name of ['program.mts', 'program.cts']) writeFileSync(join(folder, name), PROGRAM);
}

/** The package has files of each kind in the list, and no other. */
function list(): void {
  const place = join(folder, 'node_modules/weft-gitops');
  const files = readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(place, join(entry.parentPath, entry.name)));
  const missing = PACKED.filter((pattern) => !files.some((file) => pattern.test(file)));
  if (missing.length > 0) throw new Error(`the package has no file ${missing.map(String).join(', ')}`);
  const others = files.filter((file) => !PACKED.some((pattern) => pattern.test(file)));
  if (others.length > 0) throw new Error(`users do not need ${others.join(', ')}: see \`files\` of package.json`);
}

function compile(): void {
  for (const { moduleResolution, module, files } of RESOLUTIONS) {
    const compilerOptions = {
      target: 'es2022',
      module,
      moduleResolution,
      outDir: `out-${moduleResolution}`,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      types: ['node'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    reportErrors(moduleResolution);
  }
}

/** The declarations of cdk8s-plus do not compile with `exactOptionalPropertyTypes`. */
function reportErrors(moduleResolution: string): void {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', '.'], { cwd: folder, encoding: 'utf8' });
  const errors = stdout.split('\n').filter((line) => /error TS/.test(line) && !line.includes('/cdk8s-plus-28/'));
  if (errors.length > 0) throw new Error(`under moduleResolution ${moduleResolution}:\n${errors.join('\n')}`);
}

function run(): void {
  const outputs = ['program.mjs', 'program.cjs'].map((name) => inFolder(process.execPath, join('out-node16', name)));
  if (new Set(outputs).size !== 1 || !outputs[0]?.includes('mofed-container')) {
    throw new Error(`the programs print other things: ${outputs.join('; ')}`);
  }
}

/** What `weft init` of the packed command makes is installed from the registry by each package manager, and renders the same. Takes a minute. */
function makeRepositories(): void {
  const command = join(folder, 'node_modules/weft-gitops/bin/weft.cjs');
  const options = ['--fleet', '--yes', '--ci', 'github', '--weft', `file:../${tarball()}`];
  inFolder(process.execPath, command, 'init', 'made', ...options);
  const indexes = PACKAGE_MANAGERS.map((manager) => [manager.name, outputOf(manager)] as const);
  const others = indexes.filter(([, index]) => index !== indexes[0]?.[1]).map(([name]) => name);
  if (others.length > 0) throw new Error(`installed by ${others.join(', ')} it renders another output`);
}

/** The index of what a repository renders whose packages the manager has installed: it has a hash of each file. */
function outputOf({ name, files, install, start: [starter, ...args] }: PackageManager): string {
  const repository = join(folder, name.replace(/\W+/g, '-'));
  cpSync(join(folder, 'made'), repository, { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(repository, path), text);
  const run = (file: string, ...given: readonly string[]) =>
    execFileSync(file, given, { cwd: repository, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  run(...install);
  const modules = join(repository, 'node_modules');
  if (existsSync(modules)) {
    checkSize(name, Number(run('du', '-sk', modules).split('\t', 1)[0]) / 1024);
    checkSchemas(repository);
  }
  run(starter, ...args, 'weft', 'synth');
  run(starter, ...args, 'weft', 'synth', '--check');
  return readFileSync(join(repository, 'dist/east/weft.index'), 'utf8');
}

/** What the packages of a repository may take. */
const MODULES_MEGABYTES_MAX = 30;

function checkSize(name: string, megabytes: number): void {
  process.stdout.write(`node_modules by ${name}: ${Math.round(megabytes)} MB\n`);
  if (!(megabytes <= MODULES_MEGABYTES_MAX)) throw new Error(`more than ${MODULES_MEGABYTES_MAX} MB`);
}

function checkSchemas(repository: string): void {
  const settings = readFileSync(join(repository, '.vscode/settings.json'), 'utf8');
  const schemas = settings.match(/node_modules[^"]+/g) ?? [];
  if (schemas.length === 0 || schemas.some((path) => !existsSync(join(repository, path))))
    throw new Error('the editor settings of `weft init` name a schema that is not installed');
  for (const path of schemas) {
    const { $id, $schema } = JSON.parse(readFileSync(join(repository, path), 'utf8')) as Record<string, unknown>;
    if ($id !== path.replace('node_modules', 'https://unpkg.com') || $schema === undefined)
      throw new Error(`${path} has the address ${String($id)}`);
  }
}

/** A bundle does not contain the library, or cdk8s-plus, if the program does not use it. */
async function bundle(): Promise<void> {
  const bundled = async (contents: string) => {
    const stdin = { contents, resolveDir: folder, loader: 'ts' as const };
    const { outputFiles } = await build({ stdin, bundle: true, write: false, format: 'esm', platform: 'node' });
    return outputFiles[0]?.text ?? '';
  };
  const unused = await bundled(`import { Cluster } from 'weft-gitops'; console.log('nothing');`);
  if (unused.length > 1_000) throw new Error(`a program that uses nothing has a bundle of ${unused.length} characters`);
  const used = await bundled(`import { Cluster } from 'weft-gitops'; console.log(Cluster);`);
  if (/cdk8s-plus-28\./.test(used)) throw new Error('the library brings cdk8s-plus into the bundle');
}

try {
  install();
  list();
  compile();
  run();
  await bundle();
  makeRepositories();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

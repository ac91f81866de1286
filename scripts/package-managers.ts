type Command = readonly [file: string, ...args: readonly string[]];

/** A package manager of users: how it installs the packages of a repository without their scripts, and starts a command of one. */
export interface PackageManager {
  readonly name: string;
  /** Its settings, by file. */
  readonly files: Readonly<Record<string, string>>;
  readonly install: Command;
  readonly start: Command;
}

const PNPM = ['npx', '--yes', 'pnpm@12.21.0'] as const;
const YARN_1 = ['npx', '--yes', 'yarn@1.22.22'] as const;
const YARN_4 = ['npx', '--yes', '--package', '@yarnpkg/cli-dist@4.18.1', 'yarn'] as const;

/** A new lock file is written, also in CI. An empty one says where the project of Yarn is. */
const ofYarn4 = (nodeLinker: string) => ({
  '.yarnrc.yml': `nodeLinker: ${nodeLinker}\nenableScripts: false\nenableTelemetry: false\nenableImmutableInstalls: false\n`,
  'yarn.lock': '',
});

export const PACKAGE_MANAGERS: readonly PackageManager[] = [
  {
    name: 'npm',
    files: {},
    install: ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'],
    start: ['npx', '--no-install'],
  },
  { name: 'pnpm', files: {}, install: [...PNPM, 'install', '--ignore-scripts'], start: [...PNPM, 'exec'] },
  {
    name: 'yarn 1',
    files: {},
    // Others only warn about a Node that is older than Weft supports. Its cache would have the package of an earlier run, by its version.
    install: [
      ...YARN_1,
      'install',
      ...'--ignore-scripts --ignore-engines --silent --cache-folder ../yarn-1-cache'.split(' '),
    ],
    start: [...YARN_1, '--silent', '--ignore-engines', 'run'],
  },
  {
    name: 'yarn 4',
    files: ofYarn4('node-modules'),
    install: [...YARN_4, 'install'],
    start: [...YARN_4, 'run'],
  },
  // No node_modules: packages stay in their archives.
  {
    name: 'yarn 4 with Plug’n’Play',
    files: ofYarn4('pnp'),
    install: [...YARN_4, 'install'],
    start: [...YARN_4, 'run'],
  },
];

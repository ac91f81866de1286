import { EXIT, type Io } from '../../src/cli/io.js';
import { run } from '../../src/cli/run.js';
import { allAddOns } from '../../src/compile/addons/all.js';
import { allComponents } from '../../src/compile/components/all.js';
import { documentKinds } from '../../src/compile/config/kinds/kinds.js';
import { resolve } from '../../src/compile/config/resolve.js';
import { loadYaml } from '../../src/compile/load/yaml/yaml.js';
import { codes } from '../../src/shared/diagnostics/codes.js';
import { renderText } from '../../src/shared/diagnostics/render/text.js';
import { networkKinds } from '../../src/compile/networks/all.js';
import { resolveConfig } from '../../test/kit/resolve-config.js';
import { codeList, GENERATED, optionPage, table } from './markdown.js';
import { optionRows } from './option-rows.js';

/** A file of the documentation, path relative to the project. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

/** A page with the options of each kind of document. */
export function optionPages(): readonly Page[] {
  return documentKinds.map(({ kind, apiVersion, schema }) => ({
    path: `docs/reference/options/${kind}.md`,
    text: page(
      `${kind} (\`${apiVersion}\`)`,
      `Every key of the document. \`[]\` stands for each entry of a list, \`<key>\` for each key of a map.`,
      optionPage(optionRows(schema, '')),
    ),
  }));
}

/** The page of components, networks and add-ons, from the registries. */
export function componentsPage(): Page {
  const components = allComponents.map((component) => [
    `[${component.id}](../../src/compile/components/${component.id}/README.md)`,
    `\`${component.source.path.join('.')}\``,
    component.source.scopes.map((scope) => (scope === 'cluster' ? 'NicClusterPolicy' : 'NicNodePolicy')).join(', '),
    `\`${component.statusName}\``,
    codeList(component.imageKeys.map(({ release }) => release)),
    component.gated ? 'yes' : 'no',
    containers(component),
  ]);
  const networks = networkKinds.map(({ id, kind, statusName }) => [
    `[${id}](../../src/compile/networks/${id}/README.md)`,
    kind,
    `\`${statusName}\``,
  ]);
  const addOns = allAddOns.map(({ id, source }) => [
    `[${id}](../../src/compile/addons/${id}/README.md)`,
    `\`spec.${source.path.join('.')}\``,
  ]);
  const text = page(
    'Components and networks',
    'The components and networks that this version compiles. *State* is the name in the status of the operator and the value of the label ' +
      '`nvidia.network-operator.state`. *Images* are the names in the release catalog (`src/compile/releases`). *Gated* ' +
      'components wait for the driver, see [the driver gate](../guide/from-the-operator.md#the-driver-gate). *Containers* ' +
      'are the names that `containerResources` may use.',
    '## Components',
    table(['component', 'section', 'in', 'state', 'images', 'gated', 'containers'], components),
    '## Networks',
    table(['network', 'kind', 'state'], networks),
    '## Add-ons',
    'Sections of the Cluster document.',
    table(['add-on', 'section'], addOns),
  );
  return { path: 'docs/reference/components.md', text };
}

function containers({ containers: namesOn }: (typeof allComponents)[number]): string {
  const on = (platform: 'kubernetes' | 'openshift') => {
    const spec = { platform, nodePools: [] };
    const { cluster } = resolveConfig([
      { apiVersion: 'weft.dev/v1alpha1', kind: 'Cluster', metadata: { name: 'docs' }, spec },
    ]);
    return namesOn(cluster);
  };
  const plain = on('kubernetes');
  const added = on('openshift').filter((name) => !plain.includes(name));
  return codeList(plain) + (added.length === 0 ? '' : `; on OpenShift also ${codeList(added)}`);
}

const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'done; warnings do not change it',
  differences:
    'a check found something: `synth --check`, `diff`, `pools --check`, `status`, `plan --fail-on`; `import` finds differences; work is left: ' +
    '`upgrade status`, `upgrade run --dry-run`, `takeover`; `init` kept a file that lacks something',
  userError:
    'the input or the call is wrong; nothing was written, except by `import`: its documents may have errors to correct',
  bug: 'a bug of Weft; only then there is a stack trace',
  failedNodes: 'nodes failed (`upgrade`)',
  stopped: 'a signal stopped the upgrade (`upgrade run`); the Lease is released',
};

/** The help of every command, as it is printed. */
export async function commandsPage(): Promise<Page> {
  const program = await helpOf([]);
  const names = commandsIn(program);
  const parts: string[] = [];
  for (const name of names) {
    const help = await helpOf([name]);
    parts.push(`## weft ${name}\n\n${fenced(help)}`);
    for (const inner of commandsIn(help)) {
      parts.push(`### weft ${name} ${inner}\n\n${fenced(await helpOf([name, inner]))}`);
    }
  }
  const exits = Object.entries(EXIT).map(([key, code]) => [String(code), EXIT_MEANINGS[key as keyof typeof EXIT]]);
  const text = page(
    'Commands',
    'Data goes to standard output, everything else to standard error.',
    fenced(program),
    ...parts,
    `## Exit codes\n\n${table(['code', 'meaning'], exits)}`,
  );
  return { path: 'docs/reference/commands.md', text };
}

/** Names of the commands that a help text lists. */
function commandsIn(help: string): readonly string[] {
  if (!help.includes('\nCommands:')) return [];
  const [commands = ''] = help.slice(help.indexOf('\nCommands:')).split('\n\n');
  return [...commands.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
}

async function helpOf(command: readonly string[]): Promise<string> {
  const printed: string[] = [];
  const io: Io = {
    stdout: (text) => void printed.push(text),
    stderr: (text) => void printed.push(text),
    readStdin: () => Promise.resolve(''),
    cwd: '/',
    env: {},
    readCompanionProgram: () => '',
    isStdinTerminal: false,
    isStderrTerminal: false,
  };
  const code = await run([...command, '--help'], io);
  if (code !== EXIT.ok) throw new Error(`\`weft ${command.join(' ')} --help\` ends with ${code}`);
  return printed.join('');
}

const SAMPLE = `apiVersion: mellanox.com/v1alpha1
kind: NicClusterPolicy
metadata:
  name: nic-cluster-policy
spec:
  ofedDriver:
    image: doca-driver
    repository: nvcr.io/nvidia/mellanox
    version: 25.10
    upgradePolicy: {autoUpgrades: true}
---
{apiVersion: weft.dev/v1alpha1, kind: Cluster, metadata: {name: east}, spec: {nodePools: []}}
`;

/** The index of the diagnostics, with an example as it is printed. */
export function errorIndexPage(): Page {
  const { diagnostics } = resolve(loadYaml('clusters/east/policy.yaml', SAMPLE));
  const text = page(
    'Diagnostics',
    'Weft reports all errors and warnings at once, sorted by place, and writes no output if there is an error. A diagnostic has a ' +
      'code, the fact, the place with its source line, and `help` if Weft can propose a fix:',
    fenced(
      renderText(diagnostics, { colour: false, closing: 'nothing written', see: (code) => `weft explain ${code}` }),
    ),
    '`--format json`, `github` and `sarif` print the same for programs. Of a source line over 120 columns they print the part ' +
      'around the place (in JSON `sourceColumn` is the column at which it begins). `weft explain` prints the page of a ' +
      'code. To silence a warning, write a comment with a reason on the line before or at the end of the line: ' +
      '`# weft-ignore WEFT0234: the nodes come in May` ([WEFT0030](WEFT0030.md)).',
    'Each page has an example and its fix, which a test runs. Commands begin in a project with one cluster, ' +
      '`clusters/east`, which has a `cluster.yaml` and a `policy.yaml`; those of the fix follow those of the example.',
    table(
      ['code', 'severity', 'what it means'],
      Object.entries(codes)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([code, { severity, title }]) => [`[${code}](${code}.md)`, severity, title]),
    ),
  );
  return { path: 'docs/errors/README.md', text };
}

function page(title: string, ...parts: readonly string[]): string {
  return `${[`# ${title}`, GENERATED, ...parts].join('\n\n')}\n`;
}

function fenced(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}

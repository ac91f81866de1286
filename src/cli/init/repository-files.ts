import { jsonText } from '../json-text.js';

/** A file of the repository. */
export interface InitFile {
  /** Its path in the repository. */
  readonly path: string;
  readonly text: string;
  /** What a file that is there already must contain; absent: any file will do. */
  readonly needs?: string;
}

const PACKAGE = 'weft-gitops';

/** The files that do not depend on the cluster.
 *
 * @param isFleet whether the clusters are on a base
 */
export function repositoryFiles(weft: string, isFleet: boolean): readonly InitFile[] {
  return [
    { path: 'package.json', text: packageJson(weft), needs: `"${PACKAGE}"` },
    { path: '.gitignore', text: 'node_modules/\n', needs: 'node_modules' },
    // Git changes no line ends of files whose bytes `weft synth --check` compares.
    { path: '.gitattributes', text: 'dist/** -text\n', needs: 'dist/** -text' },
    { path: '.vscode/settings.json', text: editorSettings(isFleet), needs: SCHEMAS },
    { path: 'README.md', text: README },
    { path: 'AGENTS.md', text: AGENTS, needs: 'npx weft' },
  ];
}

function packageJson(weft: string): string {
  return jsonText({
    private: true,
    scripts: { synth: 'weft synth', check: 'weft synth --check', diff: 'weft diff' },
    engines: { node: '>=22' },
    devDependencies: { [PACKAGE]: weft },
  });
}

/** The package has the schemas of its own version. */
const SCHEMAS = `node_modules/${PACKAGE}/lib/`;

/** Documents that are merged with those of a base need not be whole. */
function editorSettings(isFleet: boolean): string {
  const clusters = ['clusters/*/*.yaml', 'clusters/*/*.yml'];
  const bases = ['base/*/*.yaml', 'base/*/*.yml'];
  const schemas = isFleet
    ? { 'weft.partial.schema.json': [...bases, ...clusters] }
    : { 'weft.schema.json': clusters, 'weft.partial.schema.json': bases };
  const entries = Object.entries(schemas).map(([name, files]) => [`./${SCHEMAS}${name}`, files]);
  return jsonText({ 'yaml.schemas': Object.fromEntries(entries) as Readonly<Record<string, readonly string[]>> });
}

const README = `# Clusters

Drivers, device plugins and networks of NVIDIA NICs. Weft compiles \`clusters/<name>/\`, which people write, into \`dist/<name>/\`, which
Argo CD or Flux applies.

    npm install            # once; commit package-lock.json
    npm run synth          # after each change of clusters/: writes dist/; commit both
    npm run diff           # what the change does to nodes and pods

\`npx weft --help\` lists the commands, and \`node_modules/${PACKAGE}/docs/guide/\` has the guides.
`;

const AGENTS = `# How to change a cluster

Jobs run on these clusters. What is merged here is applied to them, and may drain their nodes.

1. Edit only \`clusters/\`, or \`base/\` for all clusters that extend it. \`npx weft explain <field>\` says what a field is for.
2. \`npx weft synth\` writes \`dist/\`. Correct all errors; \`npx weft explain <code>\` says how. Silence no warning by yourself.
3. \`npx weft diff\` says what the change does. Write its first lines into the pull request: \`driver-loss\`, \`policy\`, \`drain\`, \`restart\`
   and \`network\` need the consent of a person who runs the cluster. Undo what you did not intend.
4. Commit \`clusters/\`, \`base/\` and \`dist/\` together, one change at a time.

\`node_modules/${PACKAGE}/docs/llms.txt\` lists the documents of Weft, each in a line.

Never:

- edit \`dist/\`, or put files there: \`weft synth\` writes it, also after a merge conflict
- run a command that changes a live cluster: \`kubectl apply\` or \`delete\`, \`weft takeover\`, \`weft upgrade\` other than \`status\` and
  \`explain\`
- remove or rename a node pool, a kernel, a driver section or a NicNodePolicy that nodes still use; for a new kernel list both
- write passwords or kubeconfigs into the repository
- change \`package.json\`, pipelines or \`.gitattributes\` in a change of a cluster; approve your own change
`;

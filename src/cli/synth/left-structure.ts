import { posix } from 'node:path';
import { isObject } from '../../shared/lib/json.js';
import { sha256 } from '../../shared/lib/hash.js';
import { fromCluster } from '../../compile/render/tree/base-path.js';
import { loadYaml } from '../../compile/load/yaml/yaml.js';
import { withoutHeader } from '../../compile/render/tree/header.js';

/** The files of an output, as its index lists them. */
interface Listed {
  readonly paths: readonly string[];
  readonly bases: readonly string[];
}

const KUSTOMIZATION = 'kustomization.yaml';
/** Every name by which kustomize finds a kustomization (`pkg/konfig`, `RecognizedKustomizationFileNames`). */
const KUSTOMIZATION_NAME = /(?:^|\/)(?:kustomization\.ya?ml|Kustomization)$/;
const CHART_FILE = /^(?:base|main)\/(?:Chart\.yaml|values\.yaml|templates\/.+\.yaml)$/;
const OBJECT_FILE = /\.yaml$/;
/** Objects for the tools themselves, which the kustomization of the cluster does not list. */
const OF_THE_TOOL = /^(?:argocd|flux)\//;

/**
 * Why the files of an output say more, or less, than their objects; undefined if they do not. `weft diff` compares objects: a patch in a kustomization,
 * or an object that none lists, would be seen by nobody where the files are not rendered.
 *
 * @param textOf the text of a file, by its path from the folder of the cluster
 */
export function structureProblem(listed: Listed, textOf: (path: string) => string): string | undefined {
  const content = (path: string) => {
    const { documents, diagnostics } = loadYaml(path, textOf(path));
    return documents.length === 1 && diagnostics.length === 0 ? documents[0]?.value : undefined;
  };
  const problems = listed.paths.includes(KUSTOMIZATION)
    ? kustomizationProblems(listed, content)
    : chartProblems(listed, content);
  return [...problems, ...listed.bases.flatMap((base) => baseProblems(base, content, textOf))][0];
}

type Content = (path: string) => unknown;

function kustomizationProblems({ paths, bases }: Listed, content: Content): readonly string[] {
  const reached = new Set<string>();
  const problems: string[] = [];
  const known = new Set(paths);
  const visit = (folder: string): void => {
    const file = posix.join(folder, KUSTOMIZATION);
    if (reached.has(file)) return;
    reached.add(file);
    const resources = resourcesIn(content(file));
    if (resources === undefined) problems.push(`\`${file}\` has more than resources`);
    for (const resource of resources ?? []) {
      const path = posix.join(folder, resource);
      if (bases.some((base) => fromCluster(base) === path)) reached.add(path);
      else if (known.has(posix.join(path, KUSTOMIZATION))) visit(path);
      else if (known.has(path) && !KUSTOMIZATION_NAME.test(path)) reached.add(path);
      else problems.push(`\`${file}\` lists \`${resource}\`, which the index does not have`);
    }
  };
  visit('.');
  if (known.has(`flux/${KUSTOMIZATION}`)) visit('flux');
  const all = [...paths.filter((path) => !OF_THE_TOOL.test(path)), ...bases.map(fromCluster)];
  return [...problems, ...all.filter((path) => !reached.has(path)).map((path) => `no kustomization lists \`${path}\``)];
}

/** The resources of a kustomization that has nothing else. */
function resourcesIn(value: unknown): readonly string[] | undefined {
  if (!isObject(value)) return undefined;
  const { resources } = value;
  const isList = Array.isArray(resources) && resources.every((one): one is string => typeof one === 'string');
  const others = Object.keys(value).filter((key) => !['apiVersion', 'kind', 'resources'].includes(key));
  return isList && others.length === 0 ? resources : undefined;
}

function chartProblems({ paths }: Listed, content: Content): readonly string[] {
  return paths.flatMap((path) => {
    if (!CHART_FILE.test(path)) return [`\`${path}\` is no file of its charts`];
    if (path.includes('/templates/')) return [];
    const value = content(path);
    if (!isObject(value)) return [`\`${path}\` cannot be read`];
    const allowed = path.endsWith('/Chart.yaml') ? ['apiVersion', 'name', 'description', 'type', 'version'] : [];
    return Object.keys(value)
      .filter((key) => !allowed.includes(key))
      .map((key) => `\`${path}\` has \`${key}\``);
  });
}

/** A base is named by its content. */
function baseProblems(base: string, content: Content, textOf: (path: string) => string): readonly string[] {
  const [folder, name] = [fromCluster(base), posix.basename(base)];
  const [file = '', ...others] = resourcesIn(content(`${folder}/${KUSTOMIZATION}`)) ?? [];
  const isOne = others.length === 0 && OBJECT_FILE.test(file) && !file.includes('/');
  const isSame = isOne && sha256(withoutHeader(textOf(`${folder}/${file}`))).startsWith(name);
  return isSame ? [] : [`\`${folder}\` is not what its name says`];
}

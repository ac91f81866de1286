import { posix } from 'node:path';
import { isObject } from '../../shared/lib/json.js';
import { sha256 } from '../../shared/lib/hash.js';
import { asKubernetesObject } from '../../cluster/changes/objects.js';
import { isTemplate, manifestText, toTemplate } from '../../compile/gitops/helm/template-text.js';
import { loadYaml } from '../../compile/load/yaml/yaml.js';
import { fromCluster } from '../../compile/render/tree/base-path.js';
import { withoutHeader } from '../../compile/render/tree/header.js';
import { readOwnYaml } from '../../compile/render/yaml/read.js';

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
  const isChart = !listed.paths.includes(KUSTOMIZATION);
  const manifests = listed.paths.filter((path) => (isChart ? isTemplate(path) : !KUSTOMIZATION_NAME.test(path)));
  const [problem] = [
    ...(isChart ? chartProblems(listed, content) : kustomizationProblems(listed, content)),
    ...listed.bases.flatMap((base) => baseProblem(base, content, textOf) ?? []),
    ...manifests.flatMap((path) => manifestProblem(path, textOf(path)) ?? []),
  ];
  return problem;
}

/** Weft writes one object to a file, and `weft diff` reads what it would write: anything else reaches the cluster without being compared. */
function manifestProblem(path: string, text: string): string | undefined {
  if (!OBJECT_FILE.test(path)) return `\`${path}\` is no manifest`;
  const manifest = manifestText(path, text);
  if (isTemplate(path) && toTemplate(manifest) !== text) return `\`${path}\` has a template action`;
  if (asKubernetesObject(readOwnYaml(withoutHeader(manifest)))) return undefined;
  const { documents, diagnostics } = loadYaml(path, manifest);
  const objects = documents.flatMap(({ value }) => asKubernetesObject(value) ?? []);
  const isOne = objects.length === 1 && documents.length === 1 && diagnostics.length === 0;
  return isOne ? undefined : `\`${path}\` is not one object`;
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
    if (isTemplate(path)) return [];
    const value = content(path);
    if (!isObject(value)) return [`\`${path}\` cannot be read`];
    const allowed = path.endsWith('/Chart.yaml') ? ['apiVersion', 'name', 'description', 'type', 'version'] : [];
    return Object.keys(value)
      .filter((key) => !allowed.includes(key))
      .map((key) => `\`${path}\` has \`${key}\``);
  });
}

/** A base is named by its content. */
function baseProblem(base: string, content: Content, textOf: (path: string) => string): string | undefined {
  const [folder, name] = [fromCluster(base), posix.basename(base)];
  const [file = '', ...others] = resourcesIn(content(`${folder}/${KUSTOMIZATION}`)) ?? [];
  const path = `${folder}/${file}`;
  const text = others.length === 0 && OBJECT_FILE.test(file) && !file.includes('/') ? textOf(path) : undefined;
  const isSame = text !== undefined && sha256(withoutHeader(text)).startsWith(name);
  return isSame ? manifestProblem(path, text) : `\`${folder}\` is not what its name says`;
}

import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { manifestText } from '../../compile/gitops/helm/template-text.js';
import { isNamesake, shapeProblem } from '../../shared/kubernetes/shapes/read.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { decodeUtf8 } from '../../compile/load/load.js';
import { loadYaml } from '../../compile/load/yaml/yaml.js';
import { withoutHeader } from '../../compile/render/tree/header.js';
import { readOwnYaml } from '../../compile/render/yaml/read.js';
import { asKubernetesObject } from '../../cluster/changes/objects.js';
import type { OldCluster, OldManifest } from './tree.js';

interface OldObjects {
  readonly objects: readonly KubernetesObject[];
  readonly files: ReadonlyMap<KubernetesObject, string>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Those of a cluster that the old tree does not have. */
export const NO_OBJECTS: OldObjects = { objects: [], files: new Map(), diagnostics: [] };

/**
 * Parses files of one cluster.
 *
 * @param manifests some of it. Default: all
 */
export function readManifests({ manifests: all, contents }: OldCluster, manifests = all): OldObjects {
  const texts = contents(manifests);
  const parts = manifests.map((manifest, index) => ({
    ...parseManifest(manifest, texts[index] ?? Buffer.alloc(0)),
    file: manifest.inner,
  }));
  return {
    objects: parts.flatMap(({ objects }) => objects),
    files: new Map(parts.flatMap(({ objects, file }) => objects.map((object) => [object, file] as const))),
    diagnostics: parts.flatMap(({ diagnostics }) => diagnostics),
  };
}

function parseManifest({ path, inner }: OldManifest, bytes: Buffer): Omit<OldObjects, 'files'> {
  const content = decodeUtf8(path, bytes);
  if (typeof content !== 'string') return { objects: [], diagnostics: [content] };
  const text = manifestText(inner, content);
  const own = asKubernetesObject(readOwnYaml(withoutHeader(text)));
  // The loader flattens a List.
  if (own && own.kind !== 'List') return checked(path, [own], []);
  const { documents, diagnostics } = loadYaml(path, text);
  return checked(
    path,
    documents.flatMap(({ value }) => asKubernetesObject(value) ?? []),
    diagnostics,
  );
}

/** Anybody can commit a file of the output. */
function checked(
  file: string,
  objects: readonly KubernetesObject[],
  diagnostics: readonly Diagnostic[],
): Omit<OldObjects, 'files'> {
  const problems = objects.flatMap(
    (object) => (isNamesake(object) ? namesakeText(object) : shapeProblem(object)) ?? [],
  );
  const found = problems.map((message) =>
    diagnostic('WEFT0072', { message, location: { file }, help: 'write the file again with `weft synth`' }),
  );
  return { objects: found.length === 0 ? objects : [], diagnostics: [...diagnostics, ...found] };
}

function namesakeText({ apiVersion, kind, metadata: { name } }: KubernetesObject): string {
  return `${kind} ${name}: \`apiVersion\` is \`${apiVersion}\`, which is not that of Kubernetes`;
}

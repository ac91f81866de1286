import { gitops } from '../../compile/model/gitops.js';
import { WEFT_API_VERSION, weftVersion } from '../../compile/model/cluster.js';
import { within, type Cluster } from '../../compile/model/config.js';
import { found } from '../../compile/model/found.js';
import type { SourceDocument } from '../../compile/load/yaml/yaml.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { isDnsSubdomain } from '../../shared/kubernetes/names.js';
import { isObject, valueAt } from '../../shared/lib/json.js';
import { compareVersions } from '../../shared/lib/version.js';
import { escapeLine } from '../../shared/lib/escape.js';
import { groupBy } from '../../shared/lib/group-by.js';
import { listed } from '../../shared/lib/listed.js';
import type { Io } from '../io.js';

/** A cluster whose document names an older minor version of Weft: it is not rendered, and its output stays as it is. */
export interface LeftBehind extends Pick<Cluster, 'name' | 'origin'> {
  /** The version that the document names. */
  readonly weft: string;
  /** The version that runs. */
  readonly running: string;
  readonly spec: Pick<Cluster['spec'], 'gitops'>;
  /** What commands follow whichever version renders the cluster, as the document has it: unchecked. */
  readonly followed: { readonly access: unknown; readonly namespace: unknown };
}

/** The minor version, such as `0.3`; undefined where Weft was not built. */
export function minorVersion({ version = '' }: Pick<Io, 'version'>): string | undefined {
  return /^(\d+\.\d+)\./.exec(version)?.[1];
}

/** The Cluster documents among those of a folder, which are not checked yet. */
export function clusterDocuments(documents: readonly SourceDocument[]): readonly SourceDocument[] {
  return documents.filter(
    ({ value }) => isObject(value) && value['kind'] === 'Cluster' && value['apiVersion'] === WEFT_API_VERSION,
  );
}

/**
 * The cluster, if its document names another minor version. Asked before the documents are checked, because another version may refuse fields.
 * Undefined: this version renders it, or reports what is wrong with the document.
 */
export function leftBehind(
  documents: readonly SourceDocument[],
  io: Pick<Io, 'version'>,
): LeftBehind | Diagnostic | undefined {
  const running = minorVersion(io);
  const [document, ...others] = clusterDocuments(documents);
  if (running === undefined || document === undefined || others.length > 0) return undefined;
  const at = (...path: readonly string[]) => valueAt(document.value, path);
  const [weft, name] = [weftVersion.safeParse(at('spec', 'weft')).data, at('metadata', 'name')];
  if (weft === undefined || weft === running || typeof name !== 'string' || !isDnsSubdomain(name)) return undefined;
  const origin = { document, path: [] };
  if (compareVersions(weft, running) > 0) {
    return found('WEFT0074', {
      message: `the cluster is for Weft ${weft}, and this is Weft ${running}`,
      origin: within(origin, 'spec', 'weft'),
      help: `install that version: \`npm install --save-dev weft-gitops@${weft}\``,
    });
  }
  const settings = gitops.safeParse(at('spec', 'gitops') ?? {});
  const followed = { access: at('spec', 'access'), namespace: at('spec', 'namespace') };
  if (settings.success) return { name, weft, running, origin, spec: { gitops: settings.data }, followed };
  return found('WEFT0074', {
    message: `the cluster is for Weft ${weft}, and this is Weft ${running}, which cannot read its \`gitops\``,
    origin: within(origin, 'spec', 'gitops'),
    help: `raise \`weft\` to "${running}", which says what is wrong with it`,
  });
}

/** For commands that need what the cluster renders. */
export function notRendered({ name, weft, running, origin }: LeftBehind): Diagnostic {
  return found('WEFT0074', {
    message: `the cluster \`${name}\` is for Weft ${weft}, and this is Weft ${running}, which does not render it`,
    origin: within(origin, 'spec', 'weft'),
    help: `run \`npx --package weft-gitops@${weft} weft\` with the same arguments, or raise \`weft\``,
  });
}

/** Clusters of a line. */
const NAMES_MAX = 10;

/** A line for each version that clusters are left behind at; empty if there are none. */
export function leftBehindText(clusters: readonly LeftBehind[]): string {
  return [...groupBy(clusters, ({ weft }) => weft)]
    .map(([weft, all]) => {
      const names = all.map(({ name }) => name);
      const line = `left behind on purpose at Weft ${weft}, and this is Weft ${all[0]?.running ?? ''}: ${listed(names, NAMES_MAX)}`;
      return `${escapeLine(line)}\n`;
    })
    .join('');
}

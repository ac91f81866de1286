import type { App } from 'cdk8s';
import { resolve } from '../../compile/config/resolve.js';
import type { PlacedObject } from '../../compile/model/placed-object.js';
import { denyWarnings } from '../../shared/diagnostics/deny.js';
import { isError, type Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { applyIgnores, unusedInherited, type Ignore } from '../../compile/load/ignore-comments.js';
import type { LoadedDocuments } from '../../compile/load/yaml/yaml.js';
import type { Config } from '../../compile/model/config.js';
import type { Pins } from '../../shared/kubernetes/image-pins.js';
import { gitops } from '../../compile/model/gitops.js';
import { buildObjects } from '../../compile/synth.js';
import type { Io } from '../io.js';
import { companionFor } from './companion.js';
import { leftBehind, notRendered, type LeftBehind } from './left-behind.js';
import type { LayoutName } from './layout-names.js';
import type { FleetRun } from './fleet-run.js';

/** What a run asks for beside its input. */
export interface CompileOptions {
  /** What the clusters of the run have in common. */
  readonly fleet?: FleetRun | undefined;
  /** Images as they are without `weft.lock`. */
  readonly isUnpinned?: boolean;
  /** The layout in place of that of the documents. */
  readonly layout?: LayoutName | undefined;
  /** The App that gets the chart of each cluster; not with `fleet`, whose clusters share objects. */
  readonly app?: App | undefined;
  /** Whether the caller has a use for a cluster that another version of Weft renders. Default: it is an error. */
  readonly takesLeftBehind?: boolean | undefined;
}

/** What documents without errors became. */
export interface Rendered {
  readonly config: Config;
  readonly objects: readonly PlacedObject[];
}

/** What became of one input folder. */
export interface Compiled {
  /** As the user gave it. */
  readonly folder: string;
  /** The documents as they were read. */
  readonly loaded?: LoadedDocuments;
  readonly diagnostics: readonly Diagnostic[];
  /** The comments in bases that silence nothing in this cluster; absent where that is not known, because there are errors or it is left behind. */
  readonly unusedIgnores?: readonly Ignore[] | undefined;
  /** Absent where there are errors, and for a cluster that is left behind. */
  readonly result?: Rendered;
  /** The cluster, if another version of Weft renders it and the caller takes it. */
  readonly behind?: LeftBehind;
}

/** Resolves and builds the documents of one folder. */
export async function compileLoaded(
  folder: string,
  loaded: LoadedDocuments,
  io: Pick<Io, 'readCompanionProgram' | 'version'>,
  { fleet, layout, app, isUnpinned = false, takesLeftBehind = false }: CompileOptions = {},
): Promise<Compiled> {
  const behind = leftBehind(loaded.documents, io);
  if (behind !== undefined) {
    const { diagnostics } = loaded;
    if ('code' in behind) return { folder, diagnostics: [...diagnostics, behind] };
    return takesLeftBehind
      ? { folder, diagnostics, behind }
      : { folder, diagnostics: [...diagnostics, notRendered(behind)] };
  }
  const { config: written, diagnostics } = resolve(loaded, fleet?.cache);
  const silence = (found: readonly Diagnostic[]) => applyIgnores(loaded.ignores ?? [], found);
  if (written === undefined) return { folder, diagnostics: silence(diagnostics) };
  const config = withPins(
    layout === undefined ? written : withLayout(written, layout),
    isUnpinned ? undefined : loaded.pins,
  );
  const denied = config.cluster.spec.denyWarnings;
  const companion = await companionFor(config, io);
  const built = fleet ? fleet.build(config, companion) : buildObjects(config, companion, app);
  const all = [...diagnostics, ...built.diagnostics];
  return {
    folder,
    diagnostics: denyWarnings(silence(all), denied),
    unusedIgnores: unusedInherited(loaded.ignores ?? [], all),
    ...(built.diagnostics.some(isError) ? {} : { result: { config, objects: built.objects } }),
  };
}

function withPins(config: Config, pins: Pins | undefined): Config {
  return pins === undefined ? config : { ...config, cluster: { ...config.cluster, pins } };
}

/** The configuration with another layout; the settings of the document count where they are for it. */
function withLayout(config: Config, layout: LayoutName): Config {
  const { cluster } = config;
  const chosen = gitops.parse(layout === 'plain' ? {} : { helm: cluster.spec.gitops.helm ?? {} });
  return { ...config, cluster: { ...cluster, spec: { ...cluster.spec, gitops: chosen } } };
}

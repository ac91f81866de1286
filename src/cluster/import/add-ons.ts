import { allAddOns } from '../../compile/addons/all.js';
import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { valueAt } from '../../shared/lib/json.js';
import type { Comment } from '../../compile/render/yaml/input-document.js';
import { defaultsOf, namesOfRelease, sectionsOfChart, type ChartRelease } from './chart.js';
import type { NamedObject } from '../../shared/kubernetes/listed-object.js';
import { labelOf } from './source.js';

/** Sections of the Cluster document, with comments on them. */
interface AddOnSections {
  readonly sections: Readonly<Record<string, unknown>>;
  readonly comments: readonly Comment[];
  readonly findings: readonly Diagnostic[];
}

/** What is known of the add-ons of a cluster. */
interface AddOnSource {
  readonly chart: ChartRelease | undefined;
  readonly objects: readonly NamedObject[];
  readonly namespace: string;
}

const HELP =
  '`weft import --helm` reads the values from the Secret of the Helm release; or give what `helm get values` prints with `--from`';

/**
 * The sections of add-ons: from the values of the chart, or, where these are not known, from the Deployments that the chart made in
 * the operator's namespace.
 */
export function addOnSections({ chart, objects, namespace }: AddOnSource): AddOnSections {
  if (chart !== undefined) {
    return { sections: sectionsOfChart(chart), comments: [], findings: [] };
  }
  const sections: Record<string, unknown> = {};
  const comments: Comment[] = [];
  const findings: Diagnostic[] = [];
  for (const { source, ofChartValues, ofChartImage } of allAddOns) {
    const [key] = source.path;
    const found = ofChartValues && objects.find((object) => isOf(object, usualName(key), namespace));
    if (!found) continue;
    const image = valueAt(found, ['spec', 'template', 'spec', 'containers', 0, 'image']);
    if (ofChartImage === undefined || typeof image !== 'string') {
      findings.push(valuesUnknown(key, found));
      continue;
    }
    const { labels = {} } = found.metadata;
    sections[key] = { ...namesOfRelease(key, labels[INSTANCE]), ...ofChartImage(image) };
    comments.push({ path: ['spec', key], text: `Of the Helm release only this is known. ${HELP}.` });
  }
  return { sections, comments, findings };
}

function valuesUnknown(key: string, deployment: NamedObject): Diagnostic {
  const message = `${labelOf(deployment)} is not carried over into \`${key}\` of the Cluster: the values of its chart are not known`;
  return diagnostic('WEFT0560', { message, help: HELP });
}

const NAME = 'app.kubernetes.io/name';
const INSTANCE = 'app.kubernetes.io/instance';

/** Whether an object is the Deployment of a chart with that value of `nameOverride`. */
function isOf({ kind, metadata }: NamedObject, name: unknown, namespace: unknown): boolean {
  const { labels = {} } = metadata;
  const isHere = kind === 'Deployment' && (metadata.namespace ?? namespace) === namespace;
  return isHere && labels['app.kubernetes.io/managed-by'] === 'Helm' && labels[NAME] === name;
}

function usualName(key: string): unknown {
  return defaultsOf(key)['nameOverride'];
}

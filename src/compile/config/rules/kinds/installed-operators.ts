import { allAddOns } from '../../../addons/all.js';
import {
  isNetworkOperatorTemplate,
  OPERATOR_CHART,
  OPERATOR_PACKAGE,
} from '../../../../shared/contract/network-operator.js';
import { appliedCharts, type AppliedChart } from '../../../../shared/kubernetes/applied-charts.js';
import type { NamedObject } from '../../../../shared/kubernetes/listed-object.js';
import { apiGroup } from '../../../../shared/kubernetes/names.js';
import { isObject, textAt, valueAt } from '../../../../shared/lib/json.js';
import { within, type Config, type Rule } from '../../../model/config.js';

/** Weft passes documents on, and with such a one the cluster gets a program twice. */
export const operatorInstalled: Rule = {
  code: 'WEFT0574',
  severity: 'warning',
  title: 'a document installs a program that Weft replaces',
  *check(config) {
    for (const { object, origin } of config.passthrough) {
      const document = object as NamedObject;
      const replaced = replacedBy(config, installedBy(document));
      if (replaced === undefined) continue;
      const { kind, metadata } = document;
      yield {
        origin: within(origin, 'metadata', 'name'),
        message: `${kind} \`${metadata.name}\` installs ${replaced.program}`,
        label: replaced.consequence,
        help: `${replaced.help}; where it is never applied to this cluster, write \`# weft-ignore WEFT0574: reason\` above it`,
      };
    }
  },
};

interface Replaced {
  readonly program: string;
  readonly consequence: string;
  readonly help: string;
}

/** Name of its chart, and of its package in the certified operators of OpenShift. */
const GPU_OPERATOR = ['gpu-operator', 'gpu-operator-certified'];

function replacedBy({ addOns, cluster: { spec } }: Config, names: readonly string[]): Replaced | undefined {
  if (names.includes(OPERATOR_CHART) || names.includes(OPERATOR_PACKAGE)) {
    return {
      program: 'the NVIDIA Network Operator, whose work the output and the companion do',
      consequence: 'while it runs, the companion upgrades no node',
      help: 'remove the document; if it is applied already, take the cluster over with `weft takeover`',
    };
  }
  const upgradesGpuDriver = spec.gpuDriver?.operator === false && spec.gpuDriver.upgradePolicy.autoUpgrade;
  if (upgradesGpuDriver && GPU_OPERATOR.some((name) => names.includes(name))) {
    return {
      program: 'the GPU operator, without which `spec.gpuDriver` upgrades the driver',
      consequence: 'while it runs, the companion upgrades no GPU driver',
      help: 'set `operator: true` in `spec.gpuDriver`, or remove the document',
    };
  }
  const addOn = allAddOns.find(
    ({ id, installedAs }) =>
      valueAt(addOns.get(id), ['deploy']) === true && installedAs.some((name) => names.includes(name)),
  );
  if (addOn === undefined) return undefined;
  const [key] = addOn.source.path;
  return {
    program: `\`${addOn.id}\`, which \`spec.${key}\` of the Cluster deploys, too`,
    consequence: 'the cluster gets two of them',
    help: `remove the document, or \`spec.${key}\``,
  };
}

/** Names of charts and packages that an object brings into the cluster. */
export function installedBy(object: NamedObject): readonly string[] {
  const { kind, metadata, spec } = object;
  switch (`${kind}.${apiGroup(object.apiVersion)}`) {
    case 'Subscription.operators.coreos.com':
      return named(textAt(spec, 'name'));
    case 'ClusterServiceVersion.operators.coreos.com':
      return named(metadata.name.split('.')[0]);
    case 'ClusterExtension.olm.operatorframework.io':
      return named(textAt(spec, 'source', 'catalog', 'packageName'));
    // Of k3s and RKE2.
    case 'HelmChart.helm.cattle.io':
      return named(textAt(spec, 'chart')?.split('/').at(-1));
    case 'Deployment.apps':
      return isNetworkOperatorTemplate(valueAt(spec, ['template'])) ? [OPERATOR_CHART] : [];
    default:
      return appliedCharts(object).flatMap(chartsOf);
  }
}

const named = (name: string | undefined): readonly string[] => (name === undefined ? [] : [name]);

/** The chart, and the operator's where the values have those of a chart that depends on it. */
function chartsOf({ chart, values }: AppliedChart): readonly string[] {
  const below = valueAt(values, [OPERATOR_CHART]);
  const isDependency = isObject(below) && below['enabled'] !== false;
  return isDependency ? [chart, OPERATOR_CHART] : [chart];
}

import { App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import type { AnyAddOn } from '../addons/add-on.js';
import { allAddOns } from '../addons/all.js';
import { addedObjects, addObject, identityOf, replaceObjects } from '../kubernetes/objects.js';
import type { KubernetesObject } from '../kubernetes/types.js';
import { valueAt } from '../lib/json.js';
import type { ClusterScope } from '../model/cluster-scope.js';
import type { Config } from '../model/config.js';
import { folderScope } from './folder.js';

const isLast = ({ servesAddOns = false }: AnyAddOn): boolean => servesAddOns;
const inOrder: readonly AnyAddOn[] = [...allAddOns.filter((one) => !isLast(one)), ...allAddOns.filter(isLast)];

/** The add-ons of a cluster. */
export class AddOns extends Construct {
  /** By id; some are elsewhere in the tree. */
  private readonly made = new Map<string, Construct>();

  constructor(
    scope: Construct,
    id: string,
    private readonly cluster: ClusterScope,
  ) {
    super(scope, id);
  }

  /** Takes an add-on that a program makes. */
  take(addOnId: string, construct: Construct): void {
    this.made.set(addOnId, construct);
  }

  /** Builds those whose sections the Cluster has, by the keys of the sections. */
  buildWritten(config: Config, others: readonly KubernetesObject[]): Readonly<Record<string, Construct>> {
    const { document } = config.cluster.origin;
    const written = inOrder.filter(({ source }) => valueAt(document.value, ['spec', ...source.path]) !== undefined);
    return Object.fromEntries(written.map((addOn) => [addOn.source.path[0], this.build(addOn, config, others)]));
  }

  /**
   * Builds the others of the configuration, and gives those that were built before what the whole configuration says of them.
   *
   * @param others the objects that they may have to serve
   */
  complete(config: Config, others: readonly KubernetesObject[]): void {
    for (const addOn of inOrder) {
      const before = this.made.get(addOn.id);
      if (before) update(before, addOn, config, this.servedBy(addOn, others));
      else if (config.addOns.has(addOn.id)) this.build(addOn, config, others);
    }
  }

  /** Whether an add-on is made by this construct. */
  has(construct: Construct): boolean {
    return [...this.made.values()].includes(construct);
  }

  private build(addOn: AnyAddOn, config: Config, others: readonly KubernetesObject[]): Construct {
    const props = addOnProps(config, addOn, this.servedBy(addOn, others));
    const construct = addOn.build(folderScope(this, addOn.id), props, this.cluster);
    this.made.set(addOn.id, construct);
    return construct;
  }

  private servedBy(addOn: AnyAddOn, others: readonly KubernetesObject[]): readonly KubernetesObject[] {
    if (!isLast(addOn)) return others;
    const addOns = [...this.made].filter(([id]) => id !== addOn.id).map(([, construct]) => construct);
    return [...others, ...addOns.flatMap(addedObjects)];
  }
}

/** What the construct of an add-on needs of a configuration. */
export function addOnProps(config: Config, addOn: AnyAddOn, others: readonly KubernetesObject[]) {
  // The add-on's own schema has made the section, which the configuration cannot say in types.
  const spec = config.addOns.get(addOn.id) as never;
  const crdNames = addOn.crds(spec).map(({ crd }) => crd.metadata.name);
  return { spec, cluster: config.cluster, others, crdNames };
}

/** Gives an add-on the content of its objects, and objects that it did not need before. */
function update(made: Construct, addOn: AnyAddOn, config: Config, others: readonly KubernetesObject[]): void {
  const chart = new Chart(new App(), 'add-on');
  addOn.build(chart, addOnProps(config, addOn, others));
  const objects = addedObjects(chart);
  replaceObjects([made], objects);
  const before = new Set(addedObjects(made).map(identityOf));
  for (const object of objects) if (!before.has(identityOf(object))) addObject(made, object);
}

import { identityOf } from '../../shared/kubernetes/identity.js';
import { Construct } from 'constructs';
import type { AnyAddOn } from '../addons/add-on.js';
import { allAddOns } from '../addons/all.js';
import { addedObjects, addObject, objectsOf, replaceObjects } from '../../shared/kubernetes/objects.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { valueAt } from '../../shared/lib/json.js';
import { buildResolved, type ClusterScope } from '../model/cluster-scope.js';
import type { Config } from '../model/config.js';
import { folderScope } from './folder.js';

const isLast = ({ servesAddOns = false }: AnyAddOn): boolean => servesAddOns;
const inOrder: readonly AnyAddOn[] = [...allAddOns.filter((one) => !isLast(one)), ...allAddOns.filter(isLast)];

/** The add-ons of a cluster. */
export class AddOns extends Construct {
  /** By id; some are in other parts of the tree. */
  private readonly made = new Map<string, Construct>();

  constructor(
    scope: Construct,
    id: string,
    private readonly cluster: ClusterScope,
  ) {
    super(scope, id);
  }

  /** Adds an add-on that a program creates. */
  take(addOnId: string, construct: Construct): void {
    this.made.set(addOnId, construct);
  }

  /** Builds the add-ons with a section in the Cluster; returns them by the key of the section. */
  buildWritten(config: Config, others: readonly KubernetesObject[]): Readonly<Record<string, Construct>> {
    const { document } = config.cluster.origin;
    const written = inOrder.filter(({ source }) => valueAt(document.value, ['spec', ...source.path]) !== undefined);
    return Object.fromEntries(written.map((addOn) => [addOn.source.path[0], this.build(addOn, config, others)]));
  }

  /**
   * Builds the remaining add-ons of the configuration, and updates those that were built before with the whole
   * configuration.
   *
   * @param others the objects that add-ons may have to serve
   */
  complete(config: Config, others: readonly KubernetesObject[]): void {
    for (const addOn of inOrder) {
      const before = this.made.get(addOn.id);
      if (before) update(before, addOn, config, this.servedBy(addOn, others));
      else if (config.addOns.has(addOn.id)) this.build(addOn, config, others);
    }
  }

  /** Whether this construct creates an add-on. */
  has(construct: Construct): boolean {
    return [...this.made.values()].includes(construct);
  }

  private build(addOn: AnyAddOn, config: Config, others: readonly KubernetesObject[]): Construct {
    const props = addOnProps(config, addOn, this.servedBy(addOn, others));
    const construct = buildResolved(part(addOn, props), folderScope(this, addOn.id), 'objects', this.cluster);
    this.made.set(addOn.id, construct);
    return construct;
  }

  private servedBy(addOn: AnyAddOn, others: readonly KubernetesObject[]): readonly KubernetesObject[] {
    if (!isLast(addOn)) return others;
    const addOns = [...this.made].filter(([id]) => id !== addOn.id).map(([, construct]) => construct);
    return [...others, ...addOns.flatMap(addedObjects)];
  }
}

const part = ({ construct }: AnyAddOn, props: unknown) => ({ kind: 'add-on', construct, props }) as const;

/** The input of an add-on's construct from a configuration. */
export function addOnProps(config: Config, addOn: AnyAddOn, others: readonly KubernetesObject[]) {
  const spec = config.addOns.get(addOn.id);
  const crdNames = addOn.crds(spec).map(({ crd }) => crd.metadata.name);
  return { spec, cluster: config.cluster, others, crdNames };
}

/** Updates the objects of an add-on, and adds objects that it did not need before. */
function update(made: Construct, addOn: AnyAddOn, config: Config, others: readonly KubernetesObject[]): void {
  const objects = objectsOf((scope) => buildResolved(part(addOn, addOnProps(config, addOn, others)), scope, 'objects'));
  replaceObjects([made], objects);
  const before = new Set(addedObjects(made).map(identityOf));
  for (const object of objects) if (!before.has(identityOf(object))) addObject(made, object);
}

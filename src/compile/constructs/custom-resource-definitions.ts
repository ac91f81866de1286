import { Construct } from 'constructs';
import { allAddOns } from '../addons/all.js';
import { allComponents } from '../components/all.js';
import { definitionOf } from '../crds/of-release.js';
import { KEEP_ANNOTATIONS } from '../../shared/contract/labels.js';
import { addObject } from '../../shared/kubernetes/objects.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { compareText } from '../../shared/lib/json.js';
import type { Config } from '../model/config.js';
import { setFolder } from './folder.js';

/** The CustomResourceDefinitions of components and add-ons, each once. */
export class CustomResourceDefinitions extends Construct {
  private readonly added = new Set<KubernetesObject>();

  constructor(scope: Construct, id: string) {
    super(scope, id);
    setFolder(this, 'crds');
  }

  /** Adds the definitions of a configuration that were not added before. */
  addOf(config: Config): void {
    const used = allComponents.filter((component) => config.instances.has(component.id));
    const ofAddOns = allAddOns.flatMap(({ id, crds }) => (config.addOns.has(id) ? crds(config.addOns.get(id)) : []));
    const all = [...used.flatMap(({ crds }) => crds), ...ofAddOns];
    const definitions = new Set(all.map(({ crd }) => definitionOf(config.cluster, crd)));
    const added = [...definitions].filter((crd) => !this.added.has(crd));
    const sorted = added.sort((a, b) => compareText(a.metadata.name, b.metadata.name));
    for (const crd of sorted) {
      this.added.add(crd);
      addObject(this, kept(crd));
    }
  }
}

/** Deleting a definition deletes all objects of its kind, for instance pools with addresses in use. */
function kept(crd: KubernetesObject): KubernetesObject {
  const annotations = { ...crd.metadata.annotations, ...KEEP_ANNOTATIONS };
  return { ...crd, metadata: { ...crd.metadata, annotations } };
}

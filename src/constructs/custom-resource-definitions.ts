import { Construct } from 'constructs';
import { allAddOns } from '../addons/all.js';
import { allComponents } from '../components/all.js';
import { KEEP_ANNOTATIONS } from '../contract/labels.js';
import { addObject } from '../kubernetes/objects.js';
import type { KubernetesObject } from '../kubernetes/types.js';
import { compareText } from '../lib/json.js';
import type { Config } from '../model/config.js';
import { folderScope } from './folder.js';

/** The CustomResourceDefinitions that come with the components and add-ons of a configuration, each once. */
export class CustomResourceDefinitions extends Construct {
  constructor(scope: Construct, id: string, { config }: { readonly config: Config }) {
    super(scope, id);
    const used = allComponents.filter((component) => config.instances.has(component.id));
    const ofAddOns = allAddOns.flatMap(({ id, crds }) =>
      config.addOns.has(id) ? crds(config.addOns.get(id) as never) : [],
    );
    const definitions = new Set([...used.flatMap(({ crds }) => crds), ...ofAddOns].map(({ crd }) => crd));
    if (definitions.size === 0) return;
    const folder = folderScope(this, 'crds');
    const sorted = [...definitions].sort((a, b) => compareText(a.metadata.name, b.metadata.name));
    for (const crd of sorted) addObject(folder, kept(crd));
  }
}

/** Deleting a definition deletes every object of its kind, pools of addresses in use among them. */
function kept(crd: KubernetesObject): KubernetesObject {
  const annotations = { ...crd.metadata.annotations, ...KEEP_ANNOTATIONS };
  return { ...crd, metadata: { ...crd.metadata, annotations } };
}

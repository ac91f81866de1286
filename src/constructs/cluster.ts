import { Construct } from 'constructs';
import { COMPANION_COMPONENT, KEEP_ANNOTATIONS } from '../contract/labels.js';
import type { KubernetesObject } from '../kubernetes/types.js';
import { allAddOns } from '../addons/all.js';
import { allComponents } from '../components/all.js';
import { compareText } from '../lib/json.js';
import { addedObjects, addObject } from '../kubernetes/objects.js';
import type { Config } from '../model/config.js';
import { deliveryAnnotations } from '../gitops/delivery-annotations.js';
import { annotateObjects, folderScope, placedObjects } from './folder.js';
import { keptConfigMaps } from './kept-config-maps.js';
import { Networks } from './networks.js';
import { applyPatches } from './patches/patches.js';
import type { PatchProblem } from './patches/problems.js';
import { NicClusterPolicy, NicNodePolicies, type PolicyProps } from './policies.js';

/** What a construct of a whole cluster is made from. */
export interface ClusterProps extends PolicyProps {
  /**
   * Makes the objects that upgrade drivers, from the configuration and all other objects. Default: there are none.
   */
  readonly companion?: (config: Config, objects: readonly KubernetesObject[]) => readonly KubernetesObject[];
}

/**
 * Everything that a cluster's documents become: what `weft synth` writes for one folder of `clusters/`.
 *
 * @throws PatchError when a patch of the Cluster document matches nothing or does not fit.
 */
export class Cluster extends Construct {
  /** Warnings about the patches of the Cluster document. */
  readonly patchWarnings: readonly PatchProblem[];

  constructor(scope: Construct, id: string, { config, companion }: ClusterProps) {
    super(scope, id);
    new OperatorNamespace(folderScope(this, 'namespace'), 'namespace', { name: config.cluster.namespace });
    new CustomResourceDefinitions(this, 'custom-resource-definitions', { config });
    new NicClusterPolicy(this, 'nic-cluster-policy', { config });
    new NicNodePolicies(this, 'nic-node-policies', { config });
    new Networks(this, 'networks', { config });
    const keepIfRead = keptConfigMaps(addedObjects(this));
    for (const folder of new Set(config.passthrough.map((passed) => passed.folder))) {
      const group = folderScope(this, folder);
      for (const passed of config.passthrough.filter((one) => one.folder === folder)) {
        addObject(group, keepIfRead(passed.object as KubernetesObject));
      }
    }
    new AddOns(this, 'add-ons', { config, others: addedObjects(this) });
    this.patchWarnings = applyPatches(this, config.cluster.spec.patches);
    if (companion) this.addCompanion(companion, config);
    const annotationsOf = deliveryAnnotations(config.cluster.spec.gitops);
    if (annotationsOf) annotateObjects(this, annotationsOf);
  }

  /** After the patches: the policy names what is installed, and its Job is named after the policy. */
  private addCompanion(companion: NonNullable<ClusterProps['companion']>, config: Config): void {
    const others = placedObjects(this).map(({ object }) => object);
    const folder = folderScope(this, COMPANION_COMPONENT);
    for (const object of companion(config, others)) addObject(folder, object);
  }
}

/** The add-ons of the Cluster document; `others` are the objects that they may have to serve. */
export class AddOns extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { config, others }: PolicyProps & { readonly others: readonly KubernetesObject[] },
  ) {
    super(scope, id);
    for (const addOn of allAddOns) {
      if (!config.addOns.has(addOn.id)) continue;
      // The add-on's own schema has made the section, which the configuration cannot say in types.
      const spec = config.addOns.get(addOn.id) as never;
      addOn.build(folderScope(this, addOn.id), { spec, cluster: config.cluster, others });
    }
  }
}

/**
 * The namespace of the drivers. Its pods are privileged, which clusters that enforce pod security refuse elsewhere, and
 * deleting it would take every driver away.
 */
export class OperatorNamespace extends Construct {
  constructor(scope: Construct, id: string, { name }: { readonly name: string }) {
    super(scope, id);
    const level = 'privileged';
    addObject(this, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name,
        annotations: KEEP_ANNOTATIONS,
        labels: {
          'pod-security.kubernetes.io/audit': level,
          'pod-security.kubernetes.io/enforce': level,
          'pod-security.kubernetes.io/warn': level,
        },
      },
    });
  }
}

/** The CustomResourceDefinitions that come with the components and add-ons of a configuration, each once. */
export class CustomResourceDefinitions extends Construct {
  constructor(scope: Construct, id: string, { config }: PolicyProps) {
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

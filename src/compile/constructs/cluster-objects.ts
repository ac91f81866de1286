import { JsonPatch } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import { COMPANION_COMPONENT } from '../../shared/contract/labels.js';
import { deliveryAnnotations } from '../gitops/delivery-annotations.js';
import { madeObjects } from '../../shared/kubernetes/made-objects.js';
import { addedObjects, addObject } from '../../shared/kubernetes/objects.js';
import type { KubernetesObject, ObjectMeta } from '../../shared/kubernetes/types.js';
import { type ClusterScope, scopeOf } from '../model/cluster-scope.js';
import type { Config, PassthroughObject } from '../model/config.js';
import { AddOns } from './add-ons.js';
import { CustomResourceDefinitions } from './custom-resource-definitions.js';
import { annotateObjects, folderScope, placedObjects } from './folder.js';
import { keptConfigMaps } from './kept-config-maps.js';
import { Networks } from './networks.js';
import { OperatorNamespace } from './operator-namespace.js';
import { pulledObject, pullSettings, type PullSettings } from '../images/pulled.js';
import { applyPatches } from './patches/patches.js';
import type { PatchProblem } from './patches/problems.js';
import { NicClusterPolicy, NicNodePolicies } from './policies.js';

/** Renders the companion's objects from the configuration and all other objects. */
export type Companion = (config: Config, objects: readonly KubernetesObject[]) => readonly KubernetesObject[];

/** All objects of a cluster: the output of `weft synth` for one folder of `clusters/`. */
export class ClusterObjects extends Construct {
  readonly policy: NicClusterPolicy;
  readonly definitions: CustomResourceDefinitions;
  readonly addOns: AddOns;

  /** @param cluster the cluster that constructs of these documents belong to */
  constructor(scope: Construct, id: string, config: Config, cluster: ClusterScope = { add: () => undefined }) {
    super(scope, id);
    const resolved = scopeOf('policy', { config, builds: () => true }, cluster);
    const { namespace: name } = config.cluster;
    const isNamespace = ({ object: { apiVersion, kind, metadata } }: PassthroughObject) =>
      apiVersion === 'v1' && kind === 'Namespace' && (metadata as ObjectMeta).name === name;
    const given = config.passthrough.find(isNamespace)?.object as KubernetesObject | undefined;
    new OperatorNamespace(folderScope(this, 'namespace'), 'namespace', { name, given });
    this.definitions = new CustomResourceDefinitions(this, 'custom-resource-definitions');
    this.definitions.addOf(config);
    this.policy = new NicClusterPolicy(this, 'nic-cluster-policy', { cluster: resolved });
    new NicNodePolicies(this, 'nic-node-policies', { config, cluster: resolved });
    new Networks(this, 'networks', { config, cluster: resolved });
    const keepIfRead = keptConfigMaps(addedObjects(this));
    const passthrough = config.passthrough.filter((passed) => !isNamespace(passed));
    for (const folder of new Set(passthrough.map((passed) => passed.folder))) {
      const group = folderScope(this, folder);
      for (const passed of passthrough.filter((one) => one.folder === folder)) {
        addObject(group, keepIfRead(passed.object as KubernetesObject));
      }
    }
    this.addOns = new AddOns(this, 'add-ons', cluster);
  }

  /**
   * Adds objects that depend on all others: completes the add-ons, and applies the patches, and after them pins, mirrors and pull Secrets. Returns the warnings of the
   * patches.
   *
   * @param parts constructs in other parts of the tree that belong to the cluster
   * @throws PatchError when a patch of the Cluster document matches nothing or does not fit.
   */
  complete(config: Config, parts: readonly Construct[] = []): readonly PatchProblem[] {
    this.definitions.addOf(config);
    this.addOns.complete(config, this.served(parts));
    const warnings = applyPatches([this, ...parts], config.cluster.spec.patches);
    for (const root of [this, ...parts]) pullObjects(root, pullSettings(config.cluster));
    return warnings;
  }

  /** The objects that add-ons may have to serve: all except their own. */
  served(parts: readonly Construct[]): readonly KubernetesObject[] {
    const own = this.node.children.filter((child) => child !== this.addOns);
    return [...own, ...parts.filter((part) => !this.addOns.has(part))].flatMap(addedObjects);
  }

  /**
   * Orders ConfigMaps of the program before the workloads that read them. The namespace and the definitions stay first.
   */
  addDependency(object: IConstruct): void {
    const isFirst = (child: IConstruct) => child.node.id === 'namespace' || child === this.definitions;
    for (const child of this.node.children) if (!isFirst(child)) child.node.addDependency(object);
  }

  /**
   * Called after the patches, because the companion's policy has digests of the patched objects, and the name of its
   * Job has a hash of the policy.
   */
  addCompanion(companion: Companion, config: Config): void {
    const others = placedObjects(this).map(({ object }) => object);
    const folder = folderScope(this, COMPANION_COMPONENT);
    for (const object of companion(config, others)) addObject(folder, object);
  }

  /** Adds the annotations that tell a GitOps controller how to apply each object. The last step. */
  annotate(config: Config, parts: readonly Construct[] = []): void {
    const annotationsOf = deliveryAnnotations(config.cluster.spec.gitops);
    if (annotationsOf) for (const root of [this, ...parts]) annotateObjects(root, annotationsOf);
  }
}

function pullObjects(root: Construct, settings: PullSettings): void {
  const { mirrors, pullSecrets, pins = new Map() } = settings;
  if (mirrors.length + pins.size + Object.keys(pullSecrets).length === 0) return;
  for (const node of madeObjects(root)) {
    const object = node.toJson();
    const pulled = pulledObject(object, settings);
    if (pulled !== object) node.addJsonPatch(JsonPatch.replace('', pulled));
  }
}

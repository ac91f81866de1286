import * as z from 'zod';
import { documentKinds } from '../../compile/config/kinds/kinds.js';
import { cniDirectories } from '../../compile/components/pod-parts.js';
import { imageReference } from '../../shared/kubernetes/image-reference.js';
import { valueAt } from '../../shared/lib/json.js';
import { WEFT_API_VERSION } from '../../compile/model/cluster.js';
import type { NodePoolInput } from '../../compile/model/input.js';
import { findRelease } from '../../compile/releases/catalog.js';
import type { Comment } from '../../compile/render/yaml/input-document.js';
import { withoutDefaults } from './defaults.js';
import type { ImportedDocument } from './source.js';

/** A release of the catalog. */
interface ChosenRelease {
  readonly name: string;
  /** How it was chosen: a sentence. */
  readonly why: string;
}

/** What is known of a cluster. */
interface ClusterFacts {
  readonly name: string;
  readonly kubernetesVersion: string | undefined;
  /** UID of the namespace kube-system. */
  readonly clusterUid: string | undefined;
  readonly namespace: string;
  readonly pools: readonly NodePoolInput[];
  readonly release: ChosenRelease;
  readonly cni: { readonly binDirectory: string; readonly networkDirectory: string };
  /** `undefined`: not known; empty: none. */
  readonly initContainerImage: string | undefined;
  readonly useDriverToolkit: boolean;
  /** Absent where the cluster is none of OpenShift. */
  readonly openshift: Readonly<Record<string, unknown>> | undefined;
  /** Those that run. */
  readonly precompiledTags: readonly string[];
  readonly existingConfigMaps: readonly object[];
  readonly addOns: Readonly<Record<string, unknown>>;
  readonly comments: readonly Comment[];
}

const GATE =
  'As the operator has it: no pod is replaced. `ready-file` needs nobody who changes a label; a choice for after the takeover.';
const NODES = 'As the nodes are today: a pool or a kernel without a node now is not here.';
const NO_NODES = 'No node with an NVIDIA NIC is known. `kubectl get nodes -o json | weft pools` prints the pools.';
const PRECOMPILED = 'Those that run; add the tags of later kernels and drivers that the registry holds.';
const ACCESS = 'Commands that reach a live cluster refuse any other one.';
const TAINTS = 'Keep those that the pool has for good.';

/** The Cluster document, with comments where a person has to decide. */
export function clusterDocument(facts: ClusterFacts): ImportedDocument {
  const { name, pools, release } = facts;
  const given = { apiVersion: WEFT_API_VERSION, kind: 'Cluster', metadata: { name }, spec: specOf(facts) };
  const schema = documentKinds.find(({ role }) => role === 'cluster')?.schema ?? z.unknown();
  const value = withoutDefaults(schema, given) as ImportedDocument['value'];
  const tainted = pools.flatMap(({ taints = [] }, index): Comment[] =>
    taints.length === 0 ? [] : [{ path: ['spec', 'nodePools', index, 'taints'], text: TAINTS }],
  );
  const comments: readonly Comment[] = [
    { path: ['spec', 'release'], text: `${release.why} It fills the images that a policy leaves out.` },
    { path: ['spec', 'nodePools'], text: pools.length === 0 ? NO_NODES : NODES },
    ...tainted,
    { path: ['spec', 'driver', 'gate'], text: GATE },
    { path: ['spec', 'driver', 'precompiledTags'], text: PRECOMPILED },
    { path: ['spec', 'access'], text: ACCESS },
    ...facts.comments,
  ];
  const present = comments.filter(({ path }) => valueAt(value, path) !== undefined);
  return { apiVersion: WEFT_API_VERSION, kind: 'Cluster', name, value, comments: present };
}

function specOf(facts: ClusterFacts): Readonly<Record<string, unknown>> {
  const { release, kubernetesVersion, clusterUid, namespace, pools, cni, openshift, existingConfigMaps } = facts;
  return {
    release: release.name,
    ...(kubernetesVersion !== undefined && { kubernetesVersion }),
    ...(openshift && { platform: 'openshift' }),
    ...(clusterUid !== undefined && { access: { clusterUID: clusterUid } }),
    namespace,
    nodePools: pools,
    cni: withoutPlatformDefaults(cni, openshift !== undefined),
    driver: { gate: 'label', ...initContainer(facts), precompiledTags: facts.precompiledTags },
    existingConfigMaps,
    ...(openshift && { openshift: { useDriverToolkit: facts.useDriverToolkit, ...openshift } }),
    ...facts.addOns,
  };
}

function withoutPlatformDefaults(
  { binDirectory, networkDirectory }: ClusterFacts['cni'],
  isOpenshift: boolean,
): Partial<ClusterFacts['cni']> {
  const usual = cniDirectories({ spec: { cni: { binDirectory: '', networkDirectory: '' } }, isOpenshift });
  return {
    ...(binDirectory !== usual.bin && { binDirectory }),
    ...(networkDirectory !== usual.network && { networkDirectory }),
  };
}

/** The operator's name for the image in its releases. */
const INIT_CONTAINER = 'NetworkOperatorInitContainer';

function initContainer({ initContainerImage, release }: ClusterFacts): { readonly initContainerImage?: string } {
  const released = findRelease(release.name)?.images[INIT_CONTAINER];
  const filled = released === undefined ? '' : imageReference(released);
  return initContainerImage === undefined || initContainerImage === filled ? {} : { initContainerImage };
}

import { allComponents } from '../components/all.js';
import { allOffers, type Offer } from '../config/rules/networks/offered.js';
import { type Code, diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { didYouMean } from '../../shared/diagnostics/suggest.js';
import { constraintsOf, nodePlacement } from '../../shared/kubernetes/selection/node-placement.js';
import {
  type NetworkSelection,
  type PodWorkload,
  podTemplateOf,
  type PodTemplateData,
} from '../../shared/kubernetes/pod-workload.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { parseAddress, parseNetwork } from '../../shared/lib/ip-address.js';
import { listed } from '../../shared/lib/listed.js';
import type { Config, NodePool } from '../model/config.js';

/** Annotation of a NetworkAttachmentDefinition whose devices come from a resource (multus-cni master, pkg/types). */
const RESOURCE_ANNOTATION = 'k8s.v1.cni.cncf.io/resourceName';

interface Use {
  readonly config: Config;
  readonly workload: PodWorkload;
  /** The manifest of the workload. */
  readonly object: KubernetesObject;
  readonly pods: PodTemplateData;
}

type Found = Pick<Diagnostic, 'message' | 'help'> & { readonly code: Code };

/** The problems of a workload's use of networks and resources of the cluster. */
export function useProblems(config: Config, workload: PodWorkload): readonly Diagnostic[] {
  const object = workload.object.toJson() as KubernetesObject;
  const use: Use = { config, workload, object, pods: podTemplateOf(object) };
  const found = [...unknownContainers(use), ...resourceProblems(use), ...networkProblems(use)];
  return found.map(({ code, ...parts }) =>
    diagnostic(code, { ...parts, location: { file: workload.object.node.path } }),
  );
}

function nameOf({ object: { kind, metadata } }: Use): string {
  return `${kind} \`${metadata.name}\``;
}

function unknownContainers(use: Use): readonly Found[] {
  const names = (use.pods.spec?.containers ?? []).map(({ name }) => name);
  return use.workload.requests.flatMap(({ container, resource }) => {
    if (names.length > 0 && (container === undefined || names.includes(container))) return [];
    const help = didYouMean(container ?? '', names) ?? `its containers: ${listed(names, 10)}`;
    const message = `${nameOf(use)} has no container ${container === undefined ? '' : `\`${container}\` `}that could ask for \`${resource}\``;
    return [{ code: 'WEFT0521', message, help: names.length === 0 ? 'add a container' : help }];
  });
}

function resourceProblems(use: Use): readonly Found[] {
  const { offers, isComplete } = allOffers(use.config);
  return [...new Set(use.workload.requests.map(({ resource }) => resource))].flatMap((resource) => {
    const own = offers.filter(({ name }) => name === resource);
    if (own.length > 0) return poolProblems(use, resource, own);
    if (!isComplete) return [];
    const message = `${nameOf(use)} asks for \`${resource}\`, which no device plugin of the cluster offers`;
    const names = offers.map(({ name }) => name);
    return [
      {
        code: 'WEFT0522',
        message,
        help: didYouMean(resource, names) ?? 'give the plugin and the workload the same cluster',
      },
    ];
  });
}

/** A workload that selects only nodes without the resource stays pending. */
function poolProblems(use: Use, resource: string, offers: readonly Offer[]): readonly Found[] {
  const pools = [...new Set(offers.flatMap(({ instance }) => instance.pools))];
  const { accepts } = nodePlacement(constraintsOf(use.pods.spec ?? {}));
  const mayRunOn = ({ labels, taints }: NodePool) => accepts({ labels, taints, otherLabels: 'any' });
  if (pools.length === 0 || pools.some(mayRunOn)) return [];
  const message = `${nameOf(use)} asks for \`${resource}\`, and its pods run on no node that has it`;
  const names = listed([...new Set(pools.map(({ name }) => name))], 10);
  return [{ code: 'WEFT0523', message, help: `select nodes of these pools and tolerate their taints: ${names}` }];
}

function networkProblems(use: Use): readonly Found[] {
  return use.workload.networks.flatMap((network) => [
    ...missingResource(use, network.definition),
    ...otherNamespace(use, network.definition),
    ...invalidAttachment(use, network.selection),
  ]);
}

/** Names of interfaces have at most 15 characters (Linux, include/uapi/linux/if.h `IFNAMSIZ`). */
const INTERFACE_NAME = /^[^\s/:]{1,15}$/;
const MAC = /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/i;
const GUID = /^[0-9a-f]{2}(?::[0-9a-f]{2}){7}$/i;

function invalidAttachment(use: Use, selection: NetworkSelection): readonly Found[] {
  const { name, interface: own, ips = [], mac, infinibandGuid, defaultRoute = [] } = selection;
  const isAddress = (text: string) => parseAddress(text) !== undefined || parseNetwork(text) !== undefined;
  const others = use.workload.networks.filter((one) => own !== undefined && one.selection.interface === own);
  const wrong = [
    ...(own === undefined || INTERFACE_NAME.test(own) ? [] : [`\`interface: ${own}\`: no name of an interface`]),
    ...(others.length > 1 && others[0]?.selection !== selection
      ? [`\`interface: ${own ?? ''}\`: another network has it`]
      : []),
    ...ips.filter((text) => !isAddress(text)).map((text) => `\`ips: ${text}\`: no IP address`),
    ...defaultRoute.filter((text) => !parseAddress(text)).map((text) => `\`defaultRoute: ${text}\`: no IP address`),
    ...(mac === undefined || MAC.test(mac)
      ? []
      : [`\`mac: ${mac}\`: six bytes in hexadecimal with colons between them`]),
    ...(infinibandGuid === undefined || GUID.test(infinibandGuid)
      ? []
      : [`\`infinibandGuid: ${infinibandGuid}\`: eight bytes in hexadecimal with colons between them`]),
  ];
  return wrong.map((what) => ({
    code: 'WEFT0526',
    message: `the attachment of ${nameOf(use)} to network \`${name}\` is not valid: ${what}`,
  }));
}

/** Multus attaches the device that the pod got for the resource. */
function missingResource(use: Use, definition: KubernetesObject): readonly Found[] {
  const resource = definition.metadata.annotations?.[RESOURCE_ANNOTATION];
  const containers = use.pods.spec?.containers ?? [];
  if (resource === undefined || containers.some(({ resources }) => resources?.limits?.[resource] !== undefined))
    return [];
  const message = `${nameOf(use)} is attached to network \`${definition.metadata.name}\`, and no container asks for its resource \`${resource}\``;
  return [{ code: 'WEFT0524', message, help: 'call `requestFrom` of the resource for the workload' }];
}

function otherNamespace(use: Use, { metadata }: KubernetesObject): readonly Found[] {
  const own = use.object.metadata.namespace ?? 'default';
  const isIsolated = allComponents.some(({ id, isolatesNamespaces }) =>
    (use.config.instances.get(id) ?? []).some(({ spec }) => isolatesNamespaces?.(spec, metadata.namespace ?? '')),
  );
  if (metadata.namespace === own || !isIsolated) return [];
  const message = `${nameOf(use)} is in namespace \`${own}\`, network \`${metadata.name}\` in \`${metadata.namespace ?? ''}\`, and Multus keeps namespaces apart`;
  return [
    {
      code: 'WEFT0525',
      message,
      help: `give the network \`networkNamespace: ${own}\`, or list its namespace in \`globalNamespaces\` of Multus`,
    },
  ];
}

import * as z from 'zod';
import { allAddOns } from '../../addons/all.js';
import { NETWORK_OPERATOR_API_VERSION } from '../../../shared/contract/network-operator.js';
import type { PolicyScope } from '../../components/component.js';
import { allComponents } from '../../components/all.js';
import { documentOf } from '../../model/shapes/document.js';
import { globalConfig } from '../../model/shapes/image-spec.js';
import { nodeAffinity, toleration } from '../../model/shapes/pod.js';
import { labelMap } from '../../../shared/kubernetes/fields.js';
import { textMap } from '../../model/shapes/text.js';
import { strictObject } from '../../../shared/lib/strict-object.js';

/** The only name under which the operator reconciles a NicClusterPolicy. */
export const CLUSTER_POLICY_NAME = 'nic-cluster-policy';

/** The schemas of a policy kind's sections, by key; sections that lie deeper share the mappings above them. */
function sections(scope: PolicyScope): Record<string, z.ZodType> {
  const inScope = allComponents.filter(({ source }) => source.scopes.includes(scope));
  return shapeOf(scope === 'cluster' ? [...inScope, ...ofAddOns] : inScope, 0);
}

/** Sections of older policies, which enable add-ons. */
const ofAddOns: readonly Section[] = allAddOns.flatMap(({ policySection }) =>
  policySection ? [{ source: policySection, schema: policySection.schema }] : [],
);

interface Section {
  readonly source: { readonly path: readonly string[] };
  readonly schema: z.ZodType;
}

function shapeOf(below: readonly Section[], depth: number): Record<string, z.ZodType> {
  const keys = [...new Set(below.map(({ source }) => source.path[depth] ?? ''))];
  return Object.fromEntries(
    keys.map((key) => {
      const same = below.filter(({ source }) => source.path[depth] === key);
      const leaf = same.find(({ source }) => source.path.length === depth + 1);
      const group = () =>
        strictObject(() => shapeOf(same, depth + 1)).describe(`Sections: ${sectionNames(same, depth + 1)}.`);
      return [key, (leaf ? leaf.schema : group()).optional()];
    }),
  );
}

function sectionNames(below: readonly Section[], depth: number): string {
  return [...new Set(below.map(({ source }) => `\`${source.path[depth] ?? ''}\``))].join(', ');
}

const tolerations = z.array(toleration).default([]).describe('Tolerations of all DaemonSets.');

export const nicClusterPolicy = documentOf(
  NETWORK_OPERATOR_API_VERSION,
  'NicClusterPolicy',
  strictObject(() => ({
    global: globalConfig.optional(),
    ...sections('cluster'),
    nodeAffinity: nodeAffinity.optional().describe('Node affinity of all DaemonSets.'),
    tolerations,
    deploymentNodeAffinity: nodeAffinity.optional().describe('Node affinity of all Deployments.'),
    deploymentTolerations: z.array(toleration).default([]).describe('Tolerations of all Deployments.'),
  }))
    .prefault({})
    .describe('The sections of the policy; each is a component.'),
).describe('What a cluster needs for its NVIDIA NICs.');

export const nicNodePolicy = documentOf(
  NETWORK_OPERATOR_API_VERSION,
  'NicNodePolicy',
  strictObject(() => ({
    ...sections('node'),
    nodeSelector: labelMap.default({}).describe('Labels of the nodes that the policy is for. Default: all nodes.'),
    tolerations,
    labels: textMap.optional().describe('Read and ignored, as the operator does.'),
    annotations: textMap.optional().describe('Read and ignored, as the operator does.'),
  }))
    .prefault({})
    .describe('The sections of the policy; each is a component.'),
).describe('What some nodes need for their NVIDIA NICs, beside the NicClusterPolicy.');

/** The part of a validated document that has the sections of both policy kinds. */
export interface PolicySpec {
  readonly global?: z.output<typeof globalConfig>;
  readonly nodeAffinity?: z.output<typeof nodeAffinity>;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations: readonly z.output<typeof toleration>[];
  readonly deploymentNodeAffinity?: z.output<typeof nodeAffinity>;
  readonly deploymentTolerations?: readonly z.output<typeof toleration>[];
}

import { diagnostic } from '../../shared/diagnostics/codes.js';
import { NFD_LABELS, NFD_PREFIX } from '../../shared/contract/labels.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { groupBy } from '../../shared/lib/group-by.js';
import { counted, listedNames } from '../../shared/lib/listed.js';
import { isNicNode, lacksRule, type ClusterNode } from '../../cluster/pools/nodes.js';
import type { NodeFinding } from '../../cluster/pools/pools.js';

/**
 * Standard input has no nodes.
 *
 * @param call what the user typed, such as `weft pools --check clusters/east`
 */
export function noNodes(message: string, call: string): Diagnostic {
  const help = `pipe them: \`kubectl get nodes -o json | ${call}\`, or read them through kubectl: \`--live\`, or \`--context <name>\` for another cluster`;
  return diagnostic('WEFT0060', { message, help });
}

/**
 * Standard input is larger than any list of nodes.
 *
 * @param max how many characters are read
 * @param call what the user typed
 */
export function tooMuchText(max: number, call: string): Diagnostic {
  const message = `standard input cannot be used: it has more than ${max} characters`;
  const help = `leave nodes without a NIC away: \`kubectl get nodes -l ${NFD_LABELS.nicPresent}=true -o json | ${call}\``;
  return diagnostic('WEFT0060', { message, help });
}

/** Nodes belong to one cluster. */
export function severalClusters(folders: readonly string[]): Diagnostic {
  const message = `the nodes are of one cluster, and there are ${folders.length}: ${folders.join(', ')}`;
  return diagnostic('WEFT0061', { message, help: 'name its folder: `weft pools --check <folder>`' });
}

/** Labels that NIC nodes lack to be in a pool; one warning for all nodes that lack the same label. */
export function nodeWarnings(nodes: readonly ClusterNode[], findings: readonly NodeFinding[]): readonly Diagnostic[] {
  const alike = groupBy(findings, whyLeftOut);
  return [...noNicNodes(nodes), ...withoutRule(nodes), ...[...alike].map(([why, found]) => leftOut(why, found))];
}

function noNicNodes(nodes: readonly ClusterNode[]): readonly Diagnostic[] {
  if (nodes.some(isNicNode)) return [];
  const message = `none of the ${counted(nodes.length, 'node')} has the label \`${NFD_LABELS.nicPresent}=true\``;
  const isDiscovered = nodes.some(({ labels }) => [...labels.keys()].some((key) => key.startsWith(NFD_PREFIX)));
  return [diagnostic('WEFT0063', { message, help: isDiscovered ? NO_NIC_HELP : NFD_HELP })];
}

/** Nodes that Node Feature Discovery labels as NIC nodes, but no DaemonSet selects. */
function withoutRule(nodes: readonly ClusterNode[]): readonly Diagnostic[] {
  const names = nodes.filter(lacksRule).map(({ name }) => name);
  if (names.length === 0) return [];
  const [noun, verb] = names.length === 1 ? ['NIC node', 'lacks'] : ['NIC nodes', 'lack'];
  const message = `${noun} ${listedNames(names, SHOWN_NODES)} ${verb} the label \`${NFD_LABELS.nicPresent}\``;
  return [diagnostic('WEFT0350', { message, help: RULE_HELP })];
}

/** Node Feature Discovery leaves out network cards (class 02) unless a rule asks for them: 76e6cc8c, source/pci/pci.go. */
const NO_NIC_HELP =
  'Node Feature Discovery labels these nodes, and by itself not by their NICs: apply the NodeFeatureRule that ' +
  '`weft explain WEFT0063` prints';

const RULE_HELP =
  'Node Feature Discovery is there, and the NodeFeatureRule `nvidia-nics-rules` is not: `weft synth` renders it, unless the ' +
  'Cluster switches it off; apply it';

const NFD_HELP = 'Node Feature Discovery sets these labels: it must be deployed and run on the NIC nodes';

function whyLeftOut(finding: NodeFinding): string {
  switch (finding.kind) {
    case 'labels-missing':
      return `the label ${finding.labels.map((label) => `\`${label}\``).join(', ')} is missing`;
    case 'arch-unknown':
      return `there are no drivers for the architecture \`${finding.arch}\``;
  }
}

/** Maximum number of nodes that a message names; the others are counted. */
export const SHOWN_NODES = 5;

function leftOut(why: string, findings: readonly NodeFinding[]): Diagnostic {
  const nodes = listedNames(
    findings.map(({ node }) => node),
    SHOWN_NODES,
  );
  const [noun, verb] = findings.length === 1 ? ['NIC node', 'is'] : ['NIC nodes', 'are'];
  const isUnlabelled = findings.some(({ kind }) => kind === 'labels-missing');
  const message = `${noun} ${nodes} ${verb} left out: ${why}`;
  return diagnostic('WEFT0062', { message, help: isUnlabelled ? NFD_HELP : undefined });
}

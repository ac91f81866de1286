import type { Allowance, ObjectPattern } from './differences.js';

const ALL: ObjectPattern = {};

/** Differences from the chart's objects: what is specific to Helm, and what Weft renders differently; see the READMEs of the add-ons. */
export const CHART_ALLOWANCES: readonly Allowance[] = [
  {
    kind: 'ignored',
    objects: ALL,
    path: ['metadata', 'labels'],
    keys: /^(?:helm\.sh\/chart|app\.kubernetes\.io\/(?:managed-by|version))$/,
  },
  {
    kind: 'ignored',
    objects: ALL,
    path: ['metadata', 'annotations'],
    keys: /^(?:argocd\.argoproj\.io|kustomize\.toolkit\.fluxcd\.io)\/|^helm\.sh\/resource-policy$|^weft\.dev\/removal$/,
  },
  { kind: 'yaml', objects: { kinds: ['ConfigMap'] }, path: ['data', '*'] },
  // The chart hashes the text of its template, with its own labels.
  {
    kind: 'ignored',
    objects: { kinds: ['Deployment', 'DaemonSet'], name: /node-feature-discovery|nfd/ },
    path: ['spec', 'template', 'metadata', 'annotations'],
    keys: /^checksum\/config$/,
  },
  // Helm merges the default into the given value; `rollingUpdate` has no effect with another type.
  {
    kind: 'ignored',
    objects: { kinds: ['DaemonSet'], name: /-worker$/ },
    path: ['spec', 'updateStrategy', 'rollingUpdate'],
    beside: ['spec', 'updateStrategy', 'type'],
  },
  // Helm sets it during the installation.
  {
    kind: 'default',
    objects: { kinds: ['PodMonitor', 'Deployment', 'ConfigMap'] },
    path: ['metadata', 'namespace'],
    value: 'nvidia-network-operator',
  },
];

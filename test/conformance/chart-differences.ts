import type { Allowance, ObjectPattern } from './differences.js';

const ALL: ObjectPattern = {};
const WORKLOADS: ObjectPattern = { kinds: ['DaemonSet', 'Deployment'] };

/** What of the chart's objects is Helm's, or made otherwise here; see the README of the add-on. */
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
  // A checksum of text that is laid out otherwise.
  { kind: 'ignored', objects: WORKLOADS, path: ['spec', 'template', 'metadata', 'annotations', 'checksum/config'] },
  { kind: 'yaml', objects: { kinds: ['ConfigMap'] }, path: ['data', '*'] },
  // Helm merges the default into what is given; a rolling update beside another type means nothing.
  {
    kind: 'ignored',
    objects: { kinds: ['DaemonSet'], name: /-worker$/ },
    path: ['spec', 'updateStrategy', 'rollingUpdate'],
    beside: ['spec', 'updateStrategy', 'type'],
  },
  // Helm fills it in when it installs.
  {
    kind: 'default',
    objects: { kinds: ['PodMonitor', 'Deployment', 'ConfigMap'] },
    path: ['metadata', 'namespace'],
    value: 'nvidia-network-operator',
  },
];

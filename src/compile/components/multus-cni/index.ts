import type { Component } from '../component.js';
import { isObject } from '../../../shared/lib/json.js';
import { jsonData } from '../../model/shapes/json-text.js';
import { SINCE } from '../kubernetes-since.js';
import { crds } from './crds.js';
import { CONTAINER, MultusCni, STATUS_NAME } from './manifests.js';
import { multusConfig, schema, type MultusCniSpec } from './schema.js';

export { MultusCni };
export type { MultusCniProps } from './manifests.js';

/** Older images lack what is rendered. */
const OLDEST = {
  program: 'Multus',
  source: 'multus-cni v3.9.3, v4.0.2, v4.1.0 and v4.2.3, images and cmd/thin_entrypoint',
  versionOf: /^v?(\d+\.\d+)\.\d+/,
  version: '4.1',
  reason: 'older images have no `/thin_entrypoint` with `--skip-config-watch`, and their pods crash-loop',
  otherBuild: { tag: /-thick$/, reason: 'the thick plugin has no `/thin_entrypoint`, and its pods crash-loop' },
};

/**
 * Multus, the CNI plugin that gives pods further networks.
 *
 * @internal
 */
export const multusCni = {
  id: 'multus-cni',
  statusName: STATUS_NAME,
  source: { kind: 'policy', path: ['secondaryNetwork', 'multus'], scopes: ['cluster'] } as const,
  schema,
  imageKeys: [{ path: [], release: 'Multus', oldest: OLDEST }],
  checks: [
    {
      program: 'Multus',
      source: 'multus-cni v4.2.3, pkg/types/conf.go `LoadNetConf`, cmd/thin_entrypoint',
      what: '`config` of the policy: `type`, `cniVersion`, and `clusterNetwork` or `delegates`',
    },
  ],
  containers: () => [CONTAINER],
  crds,
  minimumKubernetes: SINCE.systemPriority,
  gated: false,
  providesDriver: false,
  provides: [{ id: 'multus', name: 'Multus', isInOpenshift: true }],
  isolatesNamespaces,
  construct: MultusCni,
} satisfies Component<MultusCniSpec>;

/** Networks of `globalNamespaces` are for all pods (multus-cni master, docs/configuration.md "Namespace Isolation"). */
function isolatesNamespaces({ config }: MultusCniSpec, networkNamespace: string): boolean {
  const data = jsonData(config, multusConfig);
  if (!isObject(data) || data['namespaceIsolation'] !== true) return false;
  const shared = typeof data['globalNamespaces'] === 'string' ? data['globalNamespaces'].split(',') : [];
  return !shared.map((name) => name.trim()).includes(networkNamespace);
}

import type { Component } from '../component.js';
import { SINCE } from '../kubernetes-since.js';
import { CONFIG_KEY, DocaTelemetryService, NAME, STATUS_NAME } from './manifests.js';
import { schema, type DocaTelemetryServiceSpec } from './schema.js';

export { DocaTelemetryService };
export type { DocaTelemetryServiceProps } from './manifests.js';

/**
 * The DOCA telemetry service.
 *
 * @internal
 */
export const docaTelemetryService = {
  id: 'doca-telemetry-service',
  statusName: STATUS_NAME,
  source: { kind: 'policy', path: ['docaTelemetryService'], scopes: ['cluster'] } as const,
  schema,
  imageKeys: [{ path: [], release: 'docaTelemetryService' }],
  containers: () => [NAME],
  crds: [],
  minimumKubernetes: SINCE.appsV1,
  gated: true,
  neededObjects: ({ config }) =>
    config
      ? [{ kind: 'ConfigMap', name: config.fromConfigMap, path: ['config', 'fromConfigMap'], key: CONFIG_KEY }]
      : [],
  providesDriver: false,
  construct: DocaTelemetryService,
} satisfies Component<DocaTelemetryServiceSpec>;

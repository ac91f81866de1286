import type { Component } from '../component.js';
import { SINCE } from '../kubernetes-since.js';
import { DocaTelemetryService, NAME, STATUS_NAME } from './manifests.js';
import { schema, type DocaTelemetryServiceSpec } from './schema.js';

export { DocaTelemetryService };

/** The DOCA telemetry service. */
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
  providesDriver: false,
  rules: [],
  build: (scope, props) => new DocaTelemetryService(scope, 'doca-telemetry-service', props),
} satisfies Component<DocaTelemetryServiceSpec>;

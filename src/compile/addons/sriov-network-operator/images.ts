import { imageReference } from '../../../shared/kubernetes/image-reference.js';
import type { Cluster } from '../../model/config.js';
import type { ImageVariables } from '../../model/image-variables.js';
import type { SriovSection } from './schema.js';

/** Names of the images in the release (network-operator, hack/release.yaml), by their keys in the section. */
const OF_RELEASE = {
  operator: 'SriovNetworkOperator',
  sriovConfigDaemon: 'SriovConfigDaemon',
  sriovCni: 'SriovCni',
  ibSriovCni: 'SriovIbCni',
  ovsCni: 'ovsCni',
  rdmaCni: 'rdmaCni',
  sriovDevicePlugin: 'SriovDevicePlugin',
  sriovDraDriver: 'DraDriverSriov',
  webhook: 'SriovNetworkOperatorWebhook',
} as const;

/** The variables by which the operator gets the images that it deploys, with their keys in the section (its chart, templates/operator.yaml). */
const VARIABLES = {
  SRIOV_CNI_IMAGE: 'sriovCni',
  SRIOV_INFINIBAND_CNI_IMAGE: 'ibSriovCni',
  OVS_CNI_IMAGE: 'ovsCni',
  RDMA_CNI_IMAGE: 'rdmaCni',
  SRIOV_DEVICE_PLUGIN_IMAGE: 'sriovDevicePlugin',
  SRIOV_DRA_DRIVER_IMAGE: 'sriovDraDriver',
  NETWORK_RESOURCES_INJECTOR_IMAGE: 'resourcesInjector',
  SRIOV_NETWORK_CONFIG_DAEMON_IMAGE: 'sriovConfigDaemon',
  SRIOV_NETWORK_WEBHOOK_IMAGE: 'webhook',
  METRICS_EXPORTER_IMAGE: 'metricsExporter',
  METRICS_EXPORTER_KUBE_RBAC_PROXY_IMAGE: 'metricsExporterKubeRbacProxy',
} as const;

/** A variable that holds an image. */
export type ImageVariable = keyof typeof VARIABLES;

/** The variable of the names of the pull Secrets. */
export const PULL_SECRETS_VARIABLE = 'IMAGE_PULL_SECRETS';

/** All variables by which the operator gets images. */
export const imageVariables: ImageVariables = { whole: Object.keys(VARIABLES), pullSecrets: PULL_SECRETS_VARIABLE };

/** The image of a variable, from those of `imagesOf`; empty text for none. */
export function imageOfVariable(images: ReturnType<typeof imagesOf>, name: ImageVariable): string {
  return images[VARIABLES[name]] ?? '';
}

/** The chart's default image, because releases before v26.4 have none. */
const DRA_DRIVER = 'ghcr.io/k8snetworkplumbingwg/dra-driver-sriov:latest';

/** The images, by their keys in the section; `undefined` if neither the section nor the release has one. */
export function imagesOf(spec: SriovSection, { releaseImages }: Cluster): Readonly<Record<string, string | undefined>> {
  const { images } = spec;
  const entries = Object.entries(OF_RELEASE).map(([key, name]) => {
    const released = releaseImages[name];
    return [key, images[key as keyof typeof OF_RELEASE] ?? (released && imageReference(released))] as const;
  });
  const filled = Object.fromEntries(entries);
  return { ...images, ...filled, sriovDraDriver: filled['sriovDraDriver'] ?? DRA_DRIVER };
}

import { imageReference } from '../../../shared/kubernetes/image-reference.js';
import type { Cluster } from '../../model/config.js';
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

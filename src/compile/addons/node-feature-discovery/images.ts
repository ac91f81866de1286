import { withVersion } from '../../../shared/kubernetes/image-reference.js';
import type { Cluster } from '../../model/config.js';
import type { DiscoverySection } from './schema.js';

/** The image of all programs; `undefined` if neither the section nor the release has one. */
export function imageOf({ image }: DiscoverySection, { releaseImages }: Cluster): string | undefined {
  const released = releaseImages['nodeFeatureDiscovery'];
  const { repository = released && `${released.repository}/${released.image}`, tag = released?.version } = image;
  if (repository === undefined || tag === undefined) return undefined;
  return withVersion(repository, tag);
}

/** The section for the image of a Deployment of the chart. */
export function ofChartImage(image: string): Readonly<Record<string, unknown>> {
  const colon = image.indexOf(':', image.lastIndexOf('/') + 1);
  const [end] = [image.indexOf('@'), colon].filter((at) => at !== -1).sort((a, b) => a - b);
  if (end === undefined) return { deploy: true, image: { repository: image } };
  return { deploy: true, image: { repository: image.slice(0, end), tag: image.slice(end + 1) } };
}

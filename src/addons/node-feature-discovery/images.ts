import { withVersion } from '../../kubernetes/image-reference.js';
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
  const [, repository, tag] = /^(.*?)(?:@|:(?=[^/]*$))(.*)$/.exec(image) ?? [];
  return { deploy: true, image: { repository: repository ?? image, ...(tag !== undefined && { tag }) } };
}

import { releases } from './catalog.js';

/** An image of one version of the driver. */
interface PublishedDriver {
  /** Absent where it is compiled on the node. */
  readonly kernel?: string;
  /** As in its tag: `ubuntu24.04-amd64`. */
  readonly system: string;
}

/** The end of a tag, after the version: `-6.8.0-124-generic-ubuntu24.04-amd64`. */
const SYSTEM = /^-(?:(.+)-)?([a-z]+[\d.]+-(?:amd64|arm64))$/;

/** The images of a version of the driver on NVIDIA's pages; empty where no page has them. */
export function publishedDrivers(version: string): readonly PublishedDriver[] {
  const tags = releases
    .flatMap(({ versions }) => versions.flatMap(({ driverTags = [] }) => driverTags))
    .flatMap((one) => one.tags);
  return tags.flatMap((tag): readonly PublishedDriver[] => {
    const [, kernel, system] = (tag.startsWith(version) ? SYSTEM.exec(tag.slice(version.length)) : null) ?? [];
    if (system === undefined) return [];
    return [{ ...(kernel !== undefined && { kernel }), system }];
  });
}

import type { LiveObject } from '../bed/api-client.js';
import { isRun } from '../upgrade-bed/companion-input.js';
import { podSpecOf } from '../upgrade-bed/companion-container.js';
import { programsWithLibraries, type ImageOptions } from './images.js';

/** The image that the companion's Job and CronJob name, with the Node program of this computer. */
export function companionImage(objects: readonly LiveObject[]): ImageOptions {
  const names = [
    ...new Set(objects.filter(isRun).flatMap((run) => podSpecOf(run).containers.map(({ image }) => image))),
  ];
  return { names, files: programsWithLibraries({ '/usr/bin/node': process.execPath }) };
}

import { imageList, type ListedImage } from '../../compile/image-list/list.js';
import type { Config } from '../../compile/model/config.js';
import type { PlacedObject } from '../../compile/model/placed-object.js';
import { buildObjects } from '../../compile/synth.js';
import { companionFor } from '../compile/companion.js';
import type { Rendered } from '../compile/loaded.js';
import type { Io } from '../io.js';

/** The images of a cluster before mirrors, with their pins. */
export async function listedImages({ config, objects }: Rendered, io: Io): Promise<readonly ListedImage[]> {
  const { cluster } = config;
  if (cluster.spec.mirrors.length === 0) return imageList(config, objects);
  return imageList(config, await objectsOf(withoutMirrors(config), io));
}

/** The references of a cluster before mirrors and pins. Sorted. */
export async function imagesWithoutPins({ config, objects }: Rendered, io: Io): Promise<readonly string[]> {
  const { pins, ...cluster } = config.cluster;
  const plain = withoutMirrors({ ...config, cluster });
  const isPlain = pins === undefined && config.cluster.spec.mirrors.length === 0;
  return imageList(plain, isPlain ? objects : await objectsOf(plain, io)).map(({ image }) => image);
}

function withoutMirrors(config: Config): Config {
  const { cluster } = config;
  return { ...config, cluster: { ...cluster, spec: { ...cluster.spec, mirrors: [] } } };
}

async function objectsOf(config: Config, io: Io): Promise<readonly PlacedObject[]> {
  return buildObjects(config, await companionFor(config, io)).objects;
}

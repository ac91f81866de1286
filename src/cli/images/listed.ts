import { imageList, type ListedImage } from '../../compile/image-list/list.js';
import type { Config } from '../../compile/model/config.js';
import type { PlacedObject } from '../../compile/model/placed-object.js';
import { buildObjects } from '../../compile/synth.js';
import { companionFor } from '../compile/companion.js';
import type { Rendered } from '../compile/loaded.js';
import type { Io } from '../io.js';

/** The images of a cluster before mirrors. */
export async function listedImages({ config, objects }: Rendered, io: Io): Promise<readonly ListedImage[]> {
  const { cluster } = config;
  if (cluster.spec.mirrors.length === 0) return imageList(config, objects);
  return imageList(config, await objectsOf(withoutMirrors(config), io));
}

function withoutMirrors(config: Config): Config {
  const { cluster } = config;
  return { ...config, cluster: { ...cluster, spec: { ...cluster.spec, mirrors: [] } } };
}

async function objectsOf(config: Config, io: Io): Promise<readonly PlacedObject[]> {
  return buildObjects(config, await companionFor(config, io)).objects;
}

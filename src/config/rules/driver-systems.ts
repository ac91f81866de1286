import { allComponents } from '../../components/registry.js';
import { releaseOfImage, type Release } from '../../releases/catalog.js';
import type { Config, Finding, Instance, Rule } from '../config.js';
import { valueAt } from '../issues.js';
import type { ImageSpec } from '../shapes/image-spec.js';
import { misspeltSystem } from './pool-system.js';

type DriverSystems = NonNullable<Release['driverSystems']>;

/**
 * The driver is compiled on the node, and nobody tried that on other systems. Nothing is said about a driver image that the
 * catalog does not have, or about an architecture: the page that lists the systems does not list it with them.
 */
export const driverSystemsKnown: Rule = {
  code: 'WEFT0268',
  *check(config) {
    const seen = new Set<string>();
    for (const { instance, release, systems } of knownDrivers(config)) {
      for (const finding of strangers(instance, release, systems)) {
        if (seen.has(finding.message)) continue;
        seen.add(finding.message);
        yield finding;
      }
    }
  },
};

interface KnownDriver {
  readonly instance: Instance;
  readonly release: string;
  readonly systems: DriverSystems;
}

function* knownDrivers({ instances }: Config): Iterable<KnownDriver> {
  for (const { id, imageKeys, providesDriver } of allComponents) {
    for (const instance of providesDriver ? (instances.get(id) ?? []) : []) {
      for (const { path, release: key } of imageKeys) {
        const image = valueAt(instance.spec, path) as ImageSpec | undefined;
        const found = releaseOfImage(key, image?.version);
        if (found?.driverSystems) yield { instance, release: found.release, systems: found.driverSystems };
      }
    }
  }
}

function* strangers({ pools, origin }: Instance, release: string, { versions }: DriverSystems): Iterable<Finding> {
  for (const pool of pools) {
    const { name, osName, osVersion, origin: place } = pool;
    const known = Object.hasOwn(versions, osName) ? versions[osName] : undefined;
    if (known?.includes(osVersion) || misspeltSystem(pool)) continue;
    const list = Object.entries(versions).map(([system, numbers]) => `${system} ${numbers.join(', ')}`);
    yield {
      origin: place,
      message: `pool \`${name}\` has ${osName} ${osVersion}, on which the driver of release ${release} was not validated`,
      help: `validated: ${list.join('; ')}`,
      related: { origin, message: 'the driver is chosen here' },
    };
  }
}

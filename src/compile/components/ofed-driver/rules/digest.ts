import { isDigest } from '../../../../shared/kubernetes/image-reference.js';
import { listedNames } from '../../../../shared/lib/listed.js';
import { imageOrigin } from '../../../model/image-origin.js';
import type { NodePool, Rule } from '../../../model/config.js';
import { driverInstances } from './instances.js';

const SHOWN = 5;

/** The image of a driver is for one system and one architecture: its tag names both, a digest stands for one tag. */
export const driverDigest: Rule = {
  code: 'WEFT0572',
  severity: 'warning',
  title: 'one driver image by digest is for nodes of several systems',
  *check(config) {
    for (const instance of driverInstances(config)) {
      if (!isDigest(instance.spec.version)) continue;
      const systems = [...new Set(instance.pools.map(systemOf))];
      if (systems.length < 2) continue;
      yield {
        origin: imageOrigin(instance.origin, 'version'),
        message: `the driver of ${instance.owner.kind} \`${instance.owner.name}\` is one image by digest, and its node pools have several systems: ${listedNames(systems, SHOWN)}`,
        help: 'name a version, whose tag has the system of each pool, or write a NicNodePolicy with a digest of its own for each',
      };
    }
  },
};

const systemOf = ({ osName, osVersion, arch }: NodePool): string => `${osName} ${osVersion} ${arch}`;

import { describe, expect, it } from '@jest/globals';
import { clusterText, policyText, type Files } from '../../../test/golden/compile.js';
import { diffOf } from '../../../test/review/sides.js';
import { poolRows } from '../diff/pool-messages.js';
import { knownDigest } from '../../compile/releases/digests.js';

const A = `sha256:${'a'.repeat(64)}`;
const B = `sha256:${'b'.repeat(64)}`;
const DRIVER = 'nvcr.io/nvidia/mellanox/doca-driver:doca3.4.1-26.04-1.1.0.0-1-ubuntu24.04-amd64';
const DISCOVERY = 'nvcr.io/nvidia/mellanox/nic-feature-discovery:network-operator-v26.4.1';
const PUBLISHED = knownDigest(DRIVER)?.digest ?? '';
const DISCOVERED = knownDigest(DISCOVERY)?.digest ?? '';

const side = (pins: Readonly<Record<string, string>>, more = ''): Files => ({
  'cluster.yaml': clusterText(
    `  release: v26.4.1\n${more}  nodePools: [{name: a, osName: ubuntu, osVersion: "24.04", arch: amd64}]\n`,
  ),
  'policy.yaml': policyText(
    'NicClusterPolicy',
    'nic-cluster-policy',
    '  nicFeatureDiscovery: {}\n  ofedDriver: {version: doca3.4.1-26.04-1.1.0.0-1, upgradePolicy: {autoUpgrade: true, drain: {}}}\n',
  ),
  'weft.lock': Object.entries(pins)
    .map(([image, digest]) => `${image} ${digest}\n`)
    .join(''),
});

const replaced = (files: Files, from: string | RegExp, to: string): Files =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [name, text.replace(from, to)]));
const withRelease = (release: string, files: Files) => replaced(files, 'v26.4.1\n', `${release}\n`);
const without = (section: string, files: Files) => replaced(files, new RegExp(`  ${section}: .*\\n`), '');

const MIRROR = '  mirrors: [{from: nvcr.io, to: harbor.corp/nvcr}]\n';

describe('a pin in the difference', () => {
  it.each<{
    readonly name: string;
    readonly old: Files;
    readonly next: Files;
    readonly object: string;
    readonly impact: string;
    readonly says: readonly RegExp[];
  }>([
    {
      name: 'the first of a driver, to the digest that NVIDIA published: no node is drained',
      old: side({}),
      next: side({ [DRIVER]: PUBLISHED }),
      object: 'mofed',
      impact: 'restart',
      says: [/installs the same: no node is drained/, new RegExp(`1-ubuntu24.04-amd64\` is pinned to \`${PUBLISHED}`)],
    },
    {
      name: 'the first of a driver, to the published digest, and a mirror at once: no node is drained',
      old: side({}),
      next: side({ [DRIVER]: PUBLISHED }, MIRROR),
      object: 'mofed',
      impact: 'restart',
      says: [/installs the same: no node is drained/],
    },
    {
      name: 'the first of a driver, to another digest',
      old: side({}),
      next: side({ [DRIVER]: A }),
      object: 'mofed',
      impact: 'drain',
      says: [/no release that Weft knows has this digest for the image/, /is pinned to/],
    },
    {
      name: 'another one of a driver',
      old: side({ [DRIVER]: PUBLISHED }),
      next: side({ [DRIVER]: A }),
      object: 'mofed',
      impact: 'drain',
      says: [new RegExp(`the same tag with other content, \`${A}\`; before: \`${PUBLISHED}\``)],
    },
    {
      name: 'one of a driver that is gone',
      old: side({ [DRIVER]: A }),
      next: side({}),
      object: 'mofed',
      impact: 'drain',
      says: [new RegExp(`is not pinned to \`${A}\` any more`)],
    },
    {
      name: 'one that a mirror moves',
      old: side({ [DRIVER]: A }),
      next: side({ [DRIVER]: A }, MIRROR),
      object: 'mofed',
      impact: 'restart',
      says: [/installs the same: no node is drained/],
    },
    {
      name: 'another one of other pods',
      old: side({ [DISCOVERY]: A }),
      next: side({ [DISCOVERY]: B }),
      object: 'nic-feature-discovery-ds',
      impact: 'restart',
      says: [
        new RegExp(`network-operator-v26.4.1\`: the same tag with other content, \`${B}\`; before: \`${A}\``),
        new RegExp(`network-operator-v26.4.1\`: release \`v26.4.1\` has \`${DISCOVERED}\` for the tag, not \`${B}\``),
      ],
    },
    {
      name: 'the first of other pods, to another digest than the published one',
      old: side({}),
      next: side({ [DISCOVERY]: A }),
      object: 'nic-feature-discovery-ds',
      impact: 'restart',
      says: [/is pinned to/, new RegExp(`has \`${DISCOVERED}\` for the tag, not \`${A}\``)],
    },
    {
      name: 'one that was there before its image',
      old: withRelease('v26.4.0', side({ [DISCOVERY]: A })),
      next: side({ [DISCOVERY]: A }),
      object: 'nic-feature-discovery-ds',
      impact: 'restart',
      says: [new RegExp(`has \`${DISCOVERED}\` for the tag, not \`${A}\``)],
    },
    {
      name: 'one of pods that are new',
      old: without('nicFeatureDiscovery', side({})),
      next: side({ [DISCOVERY]: A }),
      object: 'nic-feature-discovery-ds',
      impact: 'add',
      says: [new RegExp(`has \`${DISCOVERED}\` for the tag, not \`${A}\``)],
    },
  ])('$name', ({ old, next, object, impact, says }) => {
    const { objects, pools } = diffOf(old, next);
    const [found, ...others] = objects.filter(({ kind, name }) => kind === 'DaemonSet' && name.includes(object));
    expect(others).toEqual([]);
    expect(found?.impact).toBe(impact);
    if (impact === 'drain')
      expect(poolRows(pools, (name) => name)[0]?.after).toBe('the same version with another image');
    for (const text of says) expect(found?.notes.join('\n')).toMatch(text);
  });
});

import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { PLAIN_CLUSTER, policyText } from '../golden/compile.js';
import { CLUSTER, cwd, put, weft, expectRefused, network, configMap, named, type Files, setUpFolder } from './kit.js';

setUpFolder();

/** Path traversal names, as YAML text; each is refused in every field that holds a name. */
const BAD_NAMES = [
  '../../../etc/cron.d/x',
  '/etc/passwd',
  '..',
  '.',
  'a/../../b',
  '"..\\\\..\\\\x"',
  '"C:\\\\x"',
  '"a\\0b"',
  '"a\\x1b[31mb"',
  '"a\\u202Eb"',
  '"a\\nb"',
  '" "',
  '""',
  '.git',
  '.weft.lock',
  '"a%2fb"',
  `"${'a'.repeat(300)}"`,
];

describe('names', () => {
  const places: { name: string; names?: readonly string[]; files: (bad: string) => Files }[] = [
    { name: 'of the cluster', files: (bad) => ({ 'clusters/east/cluster.yaml': named(bad) }) },
    { name: 'of a network', files: (bad) => ({ ...CLUSTER, 'clusters/east/n.yaml': network(bad) }) },
    {
      name: 'of a NicNodePolicy',
      files: (bad) => ({
        ...CLUSTER,
        'clusters/east/n.yaml': policyText('NicNodePolicy', bad, '  nodeSelector: {a: b}\n'),
      }),
    },
    { name: 'of a ConfigMap', files: (bad) => ({ ...CLUSTER, 'clusters/east/c.yaml': configMap(bad) }) },
    {
      name: 'of a ConfigMap’s namespace',
      names: BAD_NAMES.filter((name) => name !== '""'),
      files: (bad) => ({ ...CLUSTER, 'clusters/east/c.yaml': configMap('a', `, namespace: ${bad}`) }),
    },
    {
      name: 'of a network’s namespace',
      files: (bad) =>
        bad === '""'
          ? { 'clusters/x': '' }
          : { ...CLUSTER, 'clusters/east/n.yaml': network('a', `{ipam: "{}", networkNamespace: ${bad}}`) },
    },
    {
      name: 'of the cluster’s namespace',
      files: (bad) => ({ 'clusters/east/cluster.yaml': PLAIN_CLUSTER.replace('spec:', `spec:\n  namespace: ${bad}`) }),
    },
    {
      name: 'of an object that is passed through',
      // Some kinds have such names; the file's name begins with the kind.
      names: BAD_NAMES.filter((name) => !name.startsWith('.git') && !name.startsWith('.weft')),
      files: (bad) => ({
        ...CLUSTER,
        'clusters/east/o.yaml': `apiVersion: nv-ipam.nvidia.com/v1alpha1\nkind: IPPool\nmetadata: {name: ${bad}}\nspec: {}\n`,
      }),
    },
  ];
  const cases = places.flatMap((place) =>
    (place.names ?? BAD_NAMES).map((bad) => ({ name: `${place.name}: ${bad.slice(0, 30)}`, files: place.files(bad) })),
  );

  it.each(cases)('$name', async ({ files }) => {
    put(files);
    expectRefused(await weft('synth'));
    expect(readdirSync(cwd)).toEqual(['clusters']);
  });
});

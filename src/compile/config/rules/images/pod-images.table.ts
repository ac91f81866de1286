import { testRule } from '../../../../../test/golden/rule-table.js';

const pod = (image: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: test, namespace: apps}\nspec: {containers: [{name: a, image: ${image}}]}\n`;

testRule('WEFT0593', {
  valid: [
    { name: 'with a tag', network: pod('busybox:1') },
    { name: 'with a digest', network: pod(`registry.example.com:5000/a/b@sha256:${'0'.repeat(64)}`) },
    { name: 'none, which a webhook fills in', network: pod('""') },
    { name: 'a variable, which another message is about', network: pod('"${IMAGE}"') },
  ],
  invalid: [
    {
      name: 'an option',
      network: pod('--help'),
      expected: [
        'network.yaml:3:18 `containers[a].image` is `--help`, which is no reference of an image: its pods stay in `InvalidImageName`',
      ],
      help: 'write a repository with a tag or a digest, such as `registry.example.com/tools/perftest:v1`',
    },
    {
      name: 'an address',
      network: pod('"https://registry.example.com/a:1"'),
      expected: [
        'network.yaml:3:18 `containers[a].image` is `https://registry.example.com/a:1`, which is no reference of an image: its pods stay in `InvalidImageName`',
      ],
    },
  ],
});

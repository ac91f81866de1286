import { describe, expect, it } from '@jest/globals';
import { clusterText, compile, PLAIN_CLUSTER, policyText, UBUNTU_POOL } from '../../../../test/golden/compile.js';

const policy = (spec: string): string => policyText('NicClusterPolicy', 'nic-cluster-policy', `  ${spec}\n`);
const cluster = (spec: string): string => clusterText(`  ${spec}\n  nodePools:\n${UBUNTU_POOL}`);
const hostDevice = (resourceName: string): string =>
  `apiVersion: mellanox.com/v1alpha1\nkind: HostDeviceNetwork\nmetadata: {name: net}\nspec: {resourceName: ${resourceName}}\n`;
const memory = (amount: string): string =>
  policy(`ofedDriver: {containerResources: [{name: mofed-container, limits: {memory: ${amount}}}]}`);

/** What is wrong, without the place, and the help for it. */
function found(text: string): readonly unknown[] {
  const files = text.includes('kind: Cluster') ? { 'a.yaml': text } : { 'a.yaml': PLAIN_CLUSTER, 'b.yaml': text };
  const errors = compile(files).diagnostics.filter(({ severity }) => severity === 'error');
  return errors.map(({ code, help }) => [code, help]);
}

describe('help for a value', () => {
  it.each([
    {
      name: 'Secrets as pods name them',
      text: policy('ofedDriver: {imagePullSecrets: [{name: ngc}]}'),
      expected: [['WEFT0142', 'write the name alone: `ngc`']],
    },
    {
      name: 'the same for all sections',
      text: policy('global: {imagePullSecrets: [{name: ngc}]}'),
      expected: [['WEFT0142', 'write the name alone: `ngc`']],
    },
    {
      name: 'a boolean in quotes',
      text: policy('ofedDriver: {upgradePolicy: {autoUpgrade: "True"}}'),
      expected: [['WEFT0142', 'write true, without quotes']],
    },
    {
      name: 'an add-on that is turned on',
      text: cluster('nodeFeatureDiscovery: true'),
      expected: [['WEFT0142', 'write `{deploy: true}`']],
    },
    {
      name: 'one toleration in place of a list',
      text: policy('tolerations: {key: a, operator: Exists}'),
      expected: [['WEFT0142', 'write a list: `- ` before it, or `[…]` around it']],
    },
    {
      name: 'a taint as kubectl writes it',
      text: cluster('cni: {}').replace('arch: amd64', 'arch: amd64, taints: ["nvidia.com/gpu=true:NoSchedule"]'),
      expected: [['WEFT0142', 'write `{key: nvidia.com/gpu, value: "true", effect: NoSchedule}`']],
    },
    {
      name: 'the same without a value',
      text: cluster('cni: {}').replace('arch: amd64', 'arch: amd64, taints: ["dedicated:NoExecute"]'),
      expected: [['WEFT0142', 'write `{key: dedicated, effect: NoExecute}`']],
    },
    {
      name: 'other text for a boolean',
      text: policy('ofedDriver: {upgradePolicy: {autoUpgrade: "maybe"}}'),
      expected: [['WEFT0142', undefined]],
    },
    {
      name: 'another name of an architecture',
      text: cluster('cni: {}').replace('amd64', 'x86_64'),
      expected: [['WEFT0143', 'write `amd64`, as Kubernetes calls it']],
    },
    {
      name: 'a typo of an architecture',
      text: cluster('cni: {}').replace('amd64', 'arm46'),
      expected: [['WEFT0143', 'did you mean `arm64`?']],
    },
    { name: 'bytes', text: memory('1GB'), expected: [['WEFT0143', 'write `1Gi` or `1G`']] },
    { name: 'binary bytes', text: memory('512 MiB'), expected: [['WEFT0143', 'write `512Mi`']] },
    { name: 'kilobytes', text: memory('1.5KB'), expected: [['WEFT0143', 'write `1.5Ki` or `1.5k`']] },
    { name: 'no amount', text: memory('much'), expected: [['WEFT0143', undefined]] },
    {
      name: 'a resource with the prefix that all have',
      text: hostDevice('nvidia.com/hostdev'),
      expected: [['WEFT0143', 'write the name alone: `hostdev`']],
    },
    {
      name: 'a resource with a prefix',
      text: policy(
        'sriovDevicePlugin: {config: {resourceList: [{resourceName: nvidia.com/a, selectors: {isRdma: true}}]}}',
      ),
      expected: [['WEFT0143', 'write `resourcePrefix: nvidia.com` and `resourceName: a`']],
    },
    {
      name: 'a mapping with the names of JavaScript for a resource',
      text: hostDevice('{toString: x}'),
      expected: [['WEFT0142', undefined]],
    },
    {
      name: 'the same for a resource with a prefix',
      text: policy(
        'sriovDevicePlugin: {config: {resourceList: [{resourceName: {valueOf: 1, toString: null}, selectors: {isRdma: true}}]}}',
      ),
      expected: [['WEFT0142', undefined]],
    },
    { name: 'the same for an amount', text: memory('{toString: x}'), expected: [['WEFT0142', undefined]] },
    {
      name: 'the same for an architecture',
      text: cluster('cni: {}').replace('amd64', '[{toString: x}]'),
      expected: [['WEFT0143', undefined]],
    },
    {
      name: 'the same for a time zone',
      text: cluster('upgrade: {maintenanceWindows: [{schedule: "0 2 * * *", duration: 2h, timeZone: {toString: x}}]}'),
      expected: [['WEFT0142', undefined]],
    },
    {
      name: 'a ConfigMap by its name alone',
      text: cluster('existingConfigMaps: [corp-ca]'),
      expected: [['WEFT0142', 'write `{name: corp-ca, keys: [\u2026]}`, with the keys of the ConfigMap']],
    },
    {
      name: 'a number for text that a pattern holds for',
      text: cluster('kubernetesVersion: 1.30'),
      expected: [['WEFT0142', 'write "1.30"']],
    },
    {
      name: 'a number that no quotes make right',
      text: cluster('kubernetesVersion: 30'),
      expected: [['WEFT0142', 'it must be a version such as `"1.34"`']],
    },
  ])('$name', ({ text, expected }) => {
    expect(found(text)).toEqual(expected);
  });
});

import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { clusterText, compile, UBUNTU_POOL } from '../../../../test/golden/compile.js';

const IMAGE = '{repository: registry.example.com/nfd/node-feature-discovery, tag: v0.18.3}';

function compiled(program: string, config: string) {
  const section = `{deploy: true, image: ${IMAGE}, ${program}: {enable: true, config: ${config}}}`;
  return compile({ 'cluster.yaml': clusterText(`  nodeFeatureDiscovery: ${section}\n  nodePools:\n${UBUNTU_POOL}`) });
}

/** The configuration file that is rendered, as YAML 1.1 has it, which the programs read. */
function fileOf(program: string, config: string): unknown {
  const texts = compiled(program, config).placed.flatMap(({ object }) =>
    object.kind === 'ConfigMap' ? Object.entries(object['data'] as Readonly<Record<string, string>>) : [],
  );
  const name = `nfd-${program === 'topologyUpdater' ? 'topology-updater' : program}.conf`;
  return parse(texts.find(([key]) => key === name)?.[1] ?? '', { version: '1.1' });
}

it.each([
  { program: 'master', config: '{}' },
  {
    program: 'master',
    config: '{extraLabelNs: [b], resyncPeriod: 2h, klog: {v: "4"}, restrictions: {disableLabels: true}}',
  },
  {
    program: 'worker',
    config: '{core: {sleepInterval: "-1s"}, sources: {pci: {deviceClassWhitelist: ["0300", "1e3"]}}}',
  },
  {
    program: 'worker',
    config: '{sources: {custom: [{name: a, matchFeatures: [{feature: a, anything: [1, 0x1f, "yes"]}]}]}}',
  },
  { program: 'topologyUpdater', config: '{excludeList: {"*": [hugepages-2Mi]}}' },
])('the $program gets $config as it is', ({ program, config }) => {
  expect(fileOf(program, config)).toEqual(parse(config, { version: '1.2' }));
});

describe('a key at the top that the program does not know', () => {
  it.each([
    { program: 'master', config: '{extraLabelNS: [a]}', key: 'extraLabelNS', meant: 'extraLabelNs' },
    { program: 'worker', config: '{source: {}}', key: 'source', meant: 'sources' },
    { program: 'topologyUpdater', config: '{excludeLists: {}}', key: 'excludeLists', meant: 'excludeList' },
  ])('$program: $config', ({ program, config, key, meant }) => {
    const path = `spec.nodeFeatureDiscovery.${program}.config`;
    expect(compiled(program, config).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([
      expect.objectContaining({ message: `\`${path}\` has no key \`${key}\``, help: `did you mean \`${meant}\`?` }),
    ]);
  });
});

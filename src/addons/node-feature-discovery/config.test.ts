import { describe, expect, it } from '@jest/globals';
import { clusterText, compile, UBUNTU_POOL } from '../../../test/golden/compile.js';

const IMAGE = '{repository: registry.example.com/nfd/node-feature-discovery, tag: v0.18.3}';

function compiled(program: string, config: string) {
  const section = `{deploy: true, image: ${IMAGE}, topologyUpdater: {enable: true}, ${program}: {enable: true, config: ${config}}}`;
  const text = section.replace('topologyUpdater: {enable: true}, topologyUpdater', 'topologyUpdater');
  return compile({ 'cluster.yaml': clusterText(`  nodeFeatureDiscovery: ${text}\n  nodePools:\n${UBUNTU_POOL}`) });
}

function problemsOf(program: string, config: string) {
  return compiled(program, config)
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ message, help = '' }) => ({ message: message.replace('spec.nodeFeatureDiscovery.', ''), help }));
}

const rule = (text: string) => `{sources: {custom: [{name: a, ${text}}]}}`;
const term = (text: string) => rule(`matchFeatures: [{feature: pci.device, ${text}}]`);

describe('a configuration that the program reads', () => {
  it.each([
    { program: 'master', config: '{}' },
    {
      program: 'master',
      config:
        '{denyLabelNs: [a], extraLabelNs: [b], labelWhiteList: "^x", noPublish: true, enableTaints: true, resyncPeriod: 2h, nfdApiParallelism: 1, informerPageSize: 0}',
    },
    { program: 'master', config: '{leaderElection: {leaseDuration: 15s, renewDeadline: 10s, retryPeriod: 1.5s}}' },
    {
      program: 'master',
      config:
        '{restrictions: {nodeFeatureNamespaceSelector: {matchLabels: {a: b}, matchExpressions: [{key: a, operator: Exists}]}, disableLabels: true, disableExtendedResources: true, disableAnnotations: true, denyNodeFeatureLabels: true, allowOverwrite: false}}',
    },
    {
      program: 'master',
      config: '{klog: {v: 4, logtostderr: true, stderrthreshold: ERROR, vmodule: "a=1", logDir: }}',
    },
    { program: 'worker', config: '{core: }' },
    {
      program: 'worker',
      config: '{core: {klog: {v: "4", skipHeaders: "true", stderrthreshold: 2, logFileMaxSize: 10}}}',
    },
    {
      program: 'worker',
      config:
        '{core: {sleepInterval: "-1s", featureSources: [all, -cpu], labelSources: [custom, pci], noPublishFeatures: ["usb.*"], ownerRefs: [node], noOwnerRefs: true, noPublish: false}}',
    },
    {
      program: 'worker',
      config:
        '{sources: {cpu: {cpuid: {attributeBlacklist: [MMX], attributeWhitelist: []}}, kernel: {kconfigFile: /a, configOpts: [X86]}}}',
    },
    {
      program: 'worker',
      config:
        '{sources: {pci: {deviceClassWhitelist: ["02", "0B40"], deviceLabelFields: [class, subsystem_vendor]}, usb: {deviceClassWhitelist: ["0e"], deviceLabelFields: [serial]}}}',
    },
    {
      program: 'worker',
      config: rule(
        'labels: {a: b}, labelsTemplate: x, vars: {c: d}, varsTemplate: z, matchAny: [{matchFeatures: [{feature: pci.device}]}]',
      ),
    },
    { program: 'worker', config: term('matchExpressions: {vendor: {op: In, value: ["15b3"]}, class: {op: Exists}}') },
    {
      program: 'worker',
      config: term('matchExpressions: {a: ["1", "2"], b: text, c: true, d: 3, e: {op: In, value: f}}'),
    },
    {
      program: 'worker',
      config: term('matchExpressions: [vendor, "class=0200"], matchName: {op: InRegexp, value: ["^0"]}'),
    },
    {
      program: 'worker',
      config: term('matchExpressions: {a: {op: Gt, value: "4"}, b: {op: GtLt, value: ["-1", "1"]}, c: {op: IsTrue}}'),
    },
    { program: 'topologyUpdater', config: '{excludeList: {"*": [hugepages-2Mi], node-a: [cpu]}}' },
  ])('$program: $config', ({ program, config }) => {
    expect(problemsOf(program, config)).toEqual([]);
  });
});

describe('a configuration that the program does not read, or does not start with', () => {
  it.each([
    {
      program: 'master',
      config: '{extraLabelNS: [a]}',
      expected: '`master.config` has no key `extraLabelNS`',
      help: 'did you mean `extraLabelNs`?',
    },
    {
      program: 'master',
      config: '{restrictions: {disableTaints: true}}',
      expected: '`master.config.restrictions` has no key `disableTaints`',
      help: 'did you mean `disableLabels`?',
    },
    { program: 'master', config: '{autoDefaultNs: false}', expected: '`master.config` has no key `autoDefaultNs`' },
    {
      program: 'master',
      config: '{resyncPeriod: 60}',
      expected: '`master.config.resyncPeriod` must be a string',
      help: 'write the unit: `60s`',
    },
    {
      program: 'master',
      config: '{resyncPeriod: 1d}',
      expected: '`master.config.resyncPeriod` must be a duration such as `90s`, `30m` or `1h30m`',
    },
    {
      program: 'master',
      config: '{nfdApiParallelism: 0}',
      expected: '`master.config.nfdApiParallelism` must be at least 1',
    },
    { program: 'master', config: '{klog: {verbosity: 4}}', expected: '`master.config.klog` has no key `verbosity`' },
    { program: 'master', config: '{klog: {v: debug}}', expected: '`master.config.klog.v` must be a whole number' },
    {
      program: 'master',
      config: '{klog: {logtostderr: "yes"}}',
      expected: '`master.config.klog.logtostderr` must be `true` or `false`',
    },
    {
      program: 'master',
      config: '{klog: {stderrthreshold: ERR}}',
      expected: '`master.config.klog.stderrthreshold` must be a severity such as `ERROR`, or its number',
    },
    {
      program: 'worker',
      config: '{sleepInterval: 60s}',
      expected: '`worker.config` has no key `sleepInterval`',
      help: 'did you mean `spec.nodeFeatureDiscovery.worker.config.core.sleepInterval`?',
    },
    {
      program: 'worker',
      config: '{core: {labelSources: [all, -gpu]}}',
      expected: '`worker.config.core.labelSources[1]` must be `all`',
      help: 'did you mean `-cpu`?',
    },
    {
      program: 'worker',
      config: '{core: {featureSources: [custom]}}',
      expected: '`worker.config.core.featureSources[0]` must be `all`',
    },
    {
      program: 'worker',
      config: '{sources: {pci: {deviceClassWhiteList: ["0200"]}}}',
      expected: '`worker.config.sources.pci` has no key `deviceClassWhiteList`',
      help: 'did you mean `deviceClassWhitelist`?',
    },
    {
      program: 'worker',
      config: '{sources: {pci: {deviceClassWhitelist: [0200]}}}',
      expected: '`worker.config.sources.pci.deviceClassWhitelist[0]` must be a string',
      help: 'write "0200"',
    },
    {
      program: 'worker',
      config: '{sources: {pci: {deviceClassWhitelist: ["020000"]}}}',
      expected:
        '`worker.config.sources.pci.deviceClassWhitelist[0]` must be a class in quotes: up to 4 hexadecimal digits',
    },
    {
      program: 'worker',
      config: '{sources: {pci: {deviceLabelFields: [vendorId]}}}',
      expected: '`worker.config.sources.pci.deviceLabelFields[0]` must be `class`',
      help: 'did you mean `vendor`?',
    },
    { program: 'worker', config: '{sources: {memory: {}}}', expected: '`worker.config.sources` has no key `memory`' },
    {
      program: 'worker',
      config: rule('taints: []'),
      expected: '`worker.config.sources.custom[0]` has no key `taints`',
      help: 'did you mean `spec.nodePools[].taints`?',
    },
    {
      program: 'worker',
      config: rule('matchFeatures: [{matchExpressions: {}}]'),
      expected: '`worker.config.sources.custom[0].matchFeatures[0].feature` is missing',
    },
    {
      program: 'worker',
      config: term('matchExpression: {}'),
      expected: '`worker.config.sources.custom[0].matchFeatures[0]` has no key `matchExpression`',
      help: 'did you mean `matchExpressions`?',
    },
    {
      program: 'worker',
      config: term('matchExpressions: {a: {op: in, value: [b]}}'),
      expected: '`worker.config.sources.custom[0].matchFeatures[0].matchExpressions.a.op` must be `In`',
      help: 'did you mean `In`?',
    },
    {
      program: 'worker',
      config: term('matchExpressions: {a: {op: Ge, value: ["1"]}}'),
      expected: '`worker.config.sources.custom[0].matchFeatures[0].matchExpressions.a.op` must be `In`',
      help: 'did you mean `Gt`?',
    },
    {
      program: 'worker',
      config: term('matchExpressions: {a: {op: In, values: [b]}}'),
      expected: '`worker.config.sources.custom[0].matchFeatures[0].matchExpressions.a` has no key `values`',
      help: 'did you mean `value`?',
    },
    {
      program: 'worker',
      config: term('matchExpressions: {a: {op: In}}'),
      expected:
        '`worker.config.sources.custom[0].matchFeatures[0].matchExpressions.a.value` must have a value with `op: In`',
    },
    {
      program: 'worker',
      config: term('matchExpressions: {a: {op: In, value: [1]}}'),
      expected: '`worker.config.sources.custom[0].matchFeatures[0].matchExpressions.a.value[0]` must be a string',
      help: 'write "1"',
    },
    {
      program: 'worker',
      config: term('matchExpressions: {a: {op: Exists, value: [b]}}'),
      expected:
        '`worker.config.sources.custom[0].matchFeatures[0].matchExpressions.a.value` must be empty with `op: Exists`',
    },
    {
      program: 'worker',
      config: term('matchExpressions: {a: {op: Gt, value: [b]}}'),
      expected:
        '`worker.config.sources.custom[0].matchFeatures[0].matchExpressions.a.value` must be one whole number with `op: Gt`',
    },
    {
      program: 'worker',
      config: term('matchExpressions: {a: {op: Lt, value: ["1", "2"]}}'),
      expected:
        '`worker.config.sources.custom[0].matchFeatures[0].matchExpressions.a.value` must be one whole number with `op: Lt`',
    },
    {
      program: 'worker',
      config: term('matchExpressions: {a: {op: GtLt, value: ["2", "1"]}}'),
      expected:
        '`worker.config.sources.custom[0].matchFeatures[0].matchExpressions.a.value` must be two whole numbers, the smaller one first, with `op: GtLt`',
    },
    {
      program: 'worker',
      config: term('matchExpressions: {a: }'),
      expected:
        '`worker.config.sources.custom[0].matchFeatures[0].matchExpressions.a` must be a string or `true` or `false` or a number or a list or a mapping',
    },
    {
      program: 'topologyUpdater',
      config: '{excludeLists: {}}',
      expected: '`topologyUpdater.config` has no key `excludeLists`',
      help: 'did you mean `excludeList`?',
    },
    {
      program: 'topologyUpdater',
      config: '{excludeList: [cpu]}',
      expected: '`topologyUpdater.config.excludeList` must be a mapping',
    },
  ])('$program: $config', ({ program, config, expected, help }) => {
    expect(problemsOf(program, config)).toEqual([
      { message: expect.stringContaining(expected), help: help ?? expect.not.stringContaining('did you mean') },
    ]);
  });
});

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

/** The rows of all programs. */
const rowsOf = <Row>(rows: Readonly<Record<string, readonly Row[]>>) =>
  Object.entries(rows).flatMap(([program, some]) => some.map((row) => ({ program, row })));

const accepted = {
  master: [
    '{}',
    '{denyLabelNs: [a], extraLabelNs: [b], labelWhiteList: "^x", noPublish: true, enableTaints: true, resyncPeriod: 2h, nfdApiParallelism: 1, informerPageSize: 0}',
    '{leaderElection: {leaseDuration: 15s, renewDeadline: 10s, retryPeriod: 1.5s}}',
    '{restrictions: {nodeFeatureNamespaceSelector: {matchLabels: {a: b}, matchExpressions: [{key: a, operator: Exists}]}, disableLabels: true, disableExtendedResources: true, disableAnnotations: true, denyNodeFeatureLabels: true, allowOverwrite: false}}',
    '{klog: {v: 4, logtostderr: true, stderrthreshold: ERROR, vmodule: "a=1", logDir: }}',
  ],
  worker: [
    '{core: }',
    '{core: {klog: {v: "4", skipHeaders: "true", stderrthreshold: 2, logFileMaxSize: 10}}}',
    '{core: {sleepInterval: "-1s", featureSources: [all, -cpu], labelSources: [custom, pci], noPublishFeatures: ["usb.*"], ownerRefs: [node], noOwnerRefs: true, noPublish: false}}',
    '{sources: {cpu: {cpuid: {attributeBlacklist: [MMX], attributeWhitelist: []}}, kernel: {kconfigFile: /a, configOpts: [X86]}}}',
    '{sources: {pci: {deviceClassWhitelist: ["02", "0B40"], deviceLabelFields: [class, subsystem_vendor]}, usb: {deviceClassWhitelist: ["0e"], deviceLabelFields: [serial]}}}',
    rule(
      'labels: {a: b}, labelsTemplate: x, vars: {c: d}, varsTemplate: z, matchAny: [{matchFeatures: [{feature: pci.device}]}]',
    ),
    term('matchExpressions: {vendor: {op: In, value: ["15b3"]}, class: {op: Exists}}'),
    term('matchExpressions: {a: ["1", "2"], b: text, c: true, d: 3, e: {op: In, value: f}}'),
    term('matchExpressions: [vendor, "class=0200"], matchName: {op: InRegexp, value: ["^0"]}'),
    term('matchExpressions: {a: {op: Gt, value: "4"}, b: {op: GtLt, value: ["-1", "1"]}, c: {op: IsTrue}}'),
  ],
  topologyUpdater: ['{excludeList: {"*": [hugepages-2Mi], node-a: [cpu]}}'],
};

describe('a configuration that the program reads', () => {
  it.each(rowsOf(accepted))('$program: $row', ({ program, row }) => {
    expect(problemsOf(program, row)).toEqual([]);
  });
});

/** A message about the expression `a`. */
const a = (fact: string) => `\`worker.config.sources.custom[0].matchFeatures[0].matchExpressions.a${fact}`;
const meant = (name: string) => `did you mean \`${name}\`?`;

/** Configuration, the beginning of the message, and help. */
const refused: Readonly<Record<string, readonly (readonly [string, string, string?])[]>> = {
  master: [
    ['{extraLabelNS: [a]}', '`master.config` has no key `extraLabelNS`', meant('extraLabelNs')],
    [
      '{restrictions: {disableTaints: true}}',
      '`master.config.restrictions` has no key `disableTaints`',
      meant('disableLabels'),
    ],
    ['{autoDefaultNs: false}', '`master.config` has no key `autoDefaultNs`'],
    ['{resyncPeriod: 60}', '`master.config.resyncPeriod` must be a string', 'write the unit: `60s`'],
    ['{resyncPeriod: 1d}', '`master.config.resyncPeriod` must be a duration such as `90s`, `30m` or `1h30m`'],
    ['{nfdApiParallelism: 0}', '`master.config.nfdApiParallelism` must be at least 1'],
    ['{klog: {verbosity: 4}}', '`master.config.klog` has no key `verbosity`'],
    ['{klog: {v: debug}}', '`master.config.klog.v` must be a whole number'],
    ['{klog: {logtostderr: "yes"}}', '`master.config.klog.logtostderr` must be `true` or `false`'],
    [
      '{klog: {stderrthreshold: ERR}}',
      '`master.config.klog.stderrthreshold` must be a severity such as `ERROR`, or its number',
    ],
  ],
  worker: [
    [
      '{sleepInterval: 60s}',
      '`worker.config` has no key `sleepInterval`',
      meant('spec.nodeFeatureDiscovery.worker.config.core.sleepInterval'),
    ],
    ['{core: {labelSources: [all, -gpu]}}', '`worker.config.core.labelSources[1]` must be `all`', meant('-cpu')],
    ['{core: {featureSources: [custom]}}', '`worker.config.core.featureSources[0]` must be `all`'],
    [
      '{sources: {pci: {deviceClassWhiteList: ["0200"]}}}',
      '`worker.config.sources.pci` has no key `deviceClassWhiteList`',
      meant('deviceClassWhitelist'),
    ],
    [
      '{sources: {pci: {deviceClassWhitelist: [0200]}}}',
      '`worker.config.sources.pci.deviceClassWhitelist[0]` must be a string',
      'write "0200"',
    ],
    [
      '{sources: {pci: {deviceClassWhitelist: ["020000"]}}}',
      '`worker.config.sources.pci.deviceClassWhitelist[0]` must be a class in quotes: up to 4 hexadecimal digits',
    ],
    [
      '{sources: {pci: {deviceLabelFields: [vendorId]}}}',
      '`worker.config.sources.pci.deviceLabelFields[0]` must be `class`',
      meant('vendor'),
    ],
    ['{sources: {memory: {}}}', '`worker.config.sources` has no key `memory`'],
    [rule('taints: []'), '`worker.config.sources.custom[0]` has no key `taints`', meant('spec.nodePools[].taints')],
    [
      rule('matchFeatures: [{matchExpressions: {}}]'),
      '`worker.config.sources.custom[0].matchFeatures[0].feature` is missing',
    ],
    [
      term('matchExpression: {}'),
      '`worker.config.sources.custom[0].matchFeatures[0]` has no key `matchExpression`',
      meant('matchExpressions'),
    ],
    [term('matchExpressions: {a: {op: in, value: [b]}}'), a(`.op\` must be \`In\``), meant('In')],
    [term('matchExpressions: {a: {op: Ge, value: ["1"]}}'), a(`.op\` must be \`In\``), meant('Gt')],
    [term('matchExpressions: {a: {op: In, values: [b]}}'), a(`\` has no key \`values\``), meant('value')],
    [term('matchExpressions: {a: {op: In}}'), a(`.value\` must have a value with \`op: In\``)],
    [term('matchExpressions: {a: {op: In, value: [1]}}'), a(`.value[0]\` must be a string`), 'write "1"'],
    [term('matchExpressions: {a: {op: Exists, value: [b]}}'), a(`.value\` must be empty with \`op: Exists\``)],
    [term('matchExpressions: {a: {op: Gt, value: [b]}}'), a(`.value\` must be one whole number with \`op: Gt\``)],
    [
      term('matchExpressions: {a: {op: Lt, value: ["1", "2"]}}'),
      a(`.value\` must be one whole number with \`op: Lt\``),
    ],
    [
      term('matchExpressions: {a: {op: GtLt, value: ["2", "1"]}}'),
      a(`.value\` must be two whole numbers, the smaller one first, with \`op: GtLt\``),
    ],
    [
      term('matchExpressions: {a: }'),
      a(`\` must be a string or \`true\` or \`false\` or a number or a list or a mapping`),
    ],
  ],
  topologyUpdater: [
    ['{excludeLists: {}}', '`topologyUpdater.config` has no key `excludeLists`', meant('excludeList')],
    ['{excludeList: [cpu]}', '`topologyUpdater.config.excludeList` must be a mapping'],
  ],
};

describe('a configuration that the program does not read, or does not start with', () => {
  it.each(rowsOf(refused))('$program: $row', ({ program, row: [config, expected, help] }) => {
    expect(problemsOf(program, config)).toEqual([
      { message: expect.stringContaining(expected), help: help ?? expect.not.stringContaining('did you mean') },
    ]);
  });
});

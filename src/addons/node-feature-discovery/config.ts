import * as z from 'zod';
import { helps } from '../../model/shapes/help.js';
import { textMap } from '../../model/shapes/text.js';
import { count, kubernetesType } from '../shapes.js';
import { customRule } from './custom-rule.js';
import { strictObject } from '../../lib/strict-object.js';

/**
 * The configuration files that the programs read: node-feature-discovery 76e6cc8c (pkg/nfd-master, pkg/nfd-worker,
 * pkg/nfd-topology-updater, source/, docs/reference). The sub-chart 0.2.1 of the operator's chart is for `master` of
 * that project and has the same options; older programs do not have all of them. A program ignores unknown keys, and
 * does not start with a value of another type. Missing keys have the program's own default.
 */
const GO_DURATION = /^[-+]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+)$/;

/** A duration in Go's format. Without a unit it would be nanoseconds. */
const durationOf = (pattern: RegExp) =>
  z
    .string()
    .regex(pattern, { error: 'must be a duration such as `90s`, `30m` or `1h30m`' })
    .register(helps, {
      help: (value) => (/^\d+$/.test(String(value)) ? `write the unit: \`${String(value)}s\`` : undefined),
    });
export const goDuration = durationOf(GO_DURATION);
export const goDurationOrNone = durationOf(new RegExp(`^$|${GO_DURATION.source}`));

/** Flags of klog v2.140.0 (klog.go, InitFlags), which also accept numbers and booleans as text. */
const isOn = z.union([z.boolean(), z.enum(['true', 'false'])]);
const wholeNumber = z.union([count, z.string().regex(/^\d+$/, { error: 'must be a whole number' })]);
const severity = z.union([
  z.string().regex(/^(?:\d+|info|warning|error|fatal|INFO|WARNING|ERROR|FATAL)$/, {
    error: 'must be a severity such as `ERROR`, or its number',
  }),
  count,
]);

const klog = () =>
  strictObject(() => ({
    addDirHeader: isOn.optional().describe('Begin messages with the folder of the file, too. Default: false.'),
    alsologtostderr: isOn.optional().describe('Log to standard error beside files. Default: false.'),
    alsologtostderrthreshold: severity.optional().describe('Severity from which `alsologtostderr` has an effect.'),
    legacyStderrThresholdBehavior: isOn
      .optional()
      .describe('Ignore `stderrthreshold` where `logtostderr` is true. Default: true.'),
    logBacktraceAt: z
      .string()
      .optional()
      .describe('Place `file:line` at which a stack trace is logged. Default: none.'),
    logDir: z.string().optional().describe('Folder of log files. Default: none.'),
    logFile: z.string().optional().describe('Log file. Default: none.'),
    logFileMaxSize: wholeNumber.optional().describe('Largest size of the log file in megabytes. Default: 1800.'),
    logtostderr: isOn.optional().describe('Log to standard error instead of files. Default: true.'),
    oneOutput: isOn.optional().describe('Log each message to the file of its own severity only. Default: false.'),
    skipHeaders: isOn.optional().describe('Log without prefixes. Default: false.'),
    skipLogHeaders: isOn.optional().describe('Open log files without a header. Default: false.'),
    stderrthreshold: severity.optional().describe('Severity from which messages go to standard error. Default: 2.'),
    v: wholeNumber.optional().describe('Verbosity. Default: 0.'),
    vmodule: z.string().optional().describe('Verbosity of files: `pattern=N`, with commas between. Default: none.'),
  }));

const flag = (description: string) => z.boolean().optional().describe(`${description} Default: false.`);
const texts = (description: string) => z.array(z.string()).optional().describe(description);

/** The same fields as `NFDConfig` of pkg/nfd-master/nfd-master.go. */
export const masterConfig = () =>
  strictObject(() => ({
    denyLabelNs: texts('Namespaces of labels that may not be set. Default: none.'),
    extraLabelNs: texts('Namespaces of labels that may be set though they are denied. Default: none.'),
    labelWhiteList: z.string().optional().describe('Regular expression of the names of labels. Default: all.'),
    noPublish: flag('Change no node.'),
    enableTaints: flag('Let rules taint nodes.'),
    resyncPeriod: goDuration.optional().describe('How often all nodes are looked at again. Default: `1h`.'),
    leaderElection: strictObject(() => ({
      leaseDuration: goDuration.optional().describe('How long others wait for the leader. Default: `15s`.'),
      renewDeadline: goDuration.optional().describe('How long the leader tries to stay it. Default: `10s`.'),
      retryPeriod: goDuration.optional().describe('How long replicas wait between tries. Default: `2s`.'),
    }))
      .optional()
      .describe('Election of the leader of several replicas.'),
    nfdApiParallelism: z.int().min(1).optional().describe('Nodes that are updated at once. Default: 10.'),
    informerPageSize: count.optional().describe('Objects that are listed at once when it starts. Default: 200.'),
    klog: klog().optional().describe('Its log.'),
    restrictions: strictObject(() => ({
      nodeFeatureNamespaceSelector: kubernetesType(
        'LabelSelector',
        'Namespaces whose NodeFeature objects count. Default: all.',
      ).optional(),
      disableLabels: flag('Set no labels.'),
      disableExtendedResources: flag('Set no extended resources.'),
      disableAnnotations: flag('Set no annotations.'),
      denyNodeFeatureLabels: flag('Ignore labels of NodeFeature objects that the worker did not write.'),
      allowOverwrite: z
        .boolean()
        .optional()
        .describe('Take over labels, annotations and resources that others set. Default: true.'),
    }))
      .optional()
      .describe('What objects of the cluster may do.'),
  }));

/** Sources of features (source/, `Name` of each). A source with `-` before its name is excluded from `all`. */
const SOURCES = ['cpu', 'fake', 'kernel', 'local', 'memory', 'network', 'pci', 'storage', 'system', 'usb'] as const;
const LABEL_SOURCES = [...SOURCES, 'custom'] as const;
const excluded = <Names extends readonly string[]>(names: Names) =>
  names.map((name: Names[number]) => `-${name}` as const);

const labelSources = (description: string) =>
  z
    .array(z.enum(['all', ...LABEL_SOURCES, ...excluded(LABEL_SOURCES)]))
    .optional()
    .describe(description);

const core = () =>
  strictObject(() => ({
    labelWhiteList: z.string().optional().describe('Regular expression of the names of labels. Default: all.'),
    noPublish: flag('Write no NodeFeature object.'),
    noOwnerRefs: flag('Write NodeFeature objects without owners.'),
    ownerRefs: z
      .array(z.enum(['node', 'pod', 'ds']))
      .optional()
      .describe('Has no effect: `ownerRefs` of the worker goes before it.'),
    featureSources: z
      .array(z.enum(['all', ...SOURCES, ...excluded(SOURCES)]))
      .optional()
      .describe('Sources of features; `-` before one leaves it out. Default: all but `fake`.'),
    labelSources: labelSources('Sources of labels; `-` before one leaves it out. Default: all but `fake`.'),
    sources: labelSources('Older name of `labelSources`, which it goes before.'),
    noPublishFeatures: texts(
      'Features, such as `pci.device` or `usb.*`, that NodeFeature objects do not get. Default: none.',
    ),
    sleepInterval: goDuration
      .optional()
      .describe('How often features are looked for; not above 0: once. Default: `60s`.'),
    klog: klog().optional().describe('Its log.'),
  }));

/** Classes are compared by prefix, as text, because a number would lose its zeros. */
const deviceClasses = (digits: number, description: string) => {
  const pattern = new RegExp(`^[0-9a-fA-F]{1,${digits}}$`);
  const error = `must be a class in quotes: up to ${digits} hexadecimal digits`;
  return z.array(z.string().regex(pattern, { error })).optional().describe(description);
};

const sources = () =>
  strictObject(() => ({
    cpu: strictObject(() => ({
      cpuid: strictObject(() => ({
        attributeBlacklist: texts('CPUID features without a label. Default: features that most processors have.'),
        attributeWhitelist: texts('The only CPUID features with a label. Default: all but the other list.'),
      }))
        .optional()
        .describe('Features of the processor.'),
    }))
      .optional()
      .describe('Source `cpu`.'),
    custom: z.array(customRule()).optional().describe('Rules for labels. Default: none.'),
    fake: strictObject(() => ({
      labels: textMap.optional().describe('Labels.'),
      flagFeatures: texts('Features without a value.'),
      attributeFeatures: textMap.optional().describe('Features with a value.'),
      instanceFeatures: z.array(textMap).optional().describe('Features with attributes.'),
    }))
      .optional()
      .describe('Source `fake`, for tests.'),
    kernel: strictObject(() => ({
      kconfigFile: z
        .string()
        .optional()
        .describe('Path of the configuration of the kernel. Default: it is looked for.'),
      configOpts: texts('Options with a label. Default: `NO_HZ`, `NO_HZ_IDLE`, `NO_HZ_FULL`, `PREEMPT`.'),
    }))
      .optional()
      .describe('Source `kernel`.'),
    pci: strictObject(() => ({
      deviceClassWhitelist: deviceClasses(4, 'Classes of devices with a label. Default: `03`, `0b40`, `12`.'),
      deviceLabelFields: z
        .array(z.enum(['class', 'vendor', 'device', 'subsystem_vendor', 'subsystem_device']))
        .optional()
        .describe('What the names of labels are made of. Default: `class`, `vendor`.'),
    }))
      .optional()
      .describe('Source `pci`.'),
    usb: strictObject(() => ({
      deviceClassWhitelist: deviceClasses(2, 'Classes of devices with a label. Default: `0e`, `ef`, `fe`, `ff`.'),
      deviceLabelFields: z
        .array(z.enum(['class', 'vendor', 'device', 'serial']))
        .optional()
        .describe('What the names of labels are made of. Default: `class`, `vendor`, `device`.'),
    }))
      .optional()
      .describe('Source `usb`.'),
  }));

/** The same fields as `NFDConfig` of pkg/nfd-worker/nfd-worker.go. */
export const workerConfig = () =>
  strictObject(() => ({
    core: core().optional().describe('What is looked for, how often, and what is done with it.'),
    sources: sources().optional().describe('Settings of the sources that have any.'),
  }));

/** The same fields as `NFDConfig` of pkg/nfd-topology-updater/nfd-topology-updater.go. */
export const topologyUpdaterConfig = () =>
  strictObject(() => ({
    excludeList: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .describe('Resources that are not looked at, by the name of the node; `*` for all nodes. Default: none.'),
  }));

import * as z from 'zod';
import { strictObject } from '../../../shared/lib/strict-object.js';
import { helps } from '../../model/shapes/help.js';

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

/**
 * The configuration files of the programs: node-feature-discovery 76e6cc8c, `NFDConfig` of pkg/nfd-master, pkg/nfd-worker and
 * pkg/nfd-topology-updater. They are documents of that project and are passed on as they are. A program ignores a key that it does not
 * know, so the keys at the top are checked; it does not start with a value that it cannot read.
 */
const part = (description: string) => z.unknown().describe(description).optional();

export const masterConfig = () =>
  strictObject(() => ({
    denyLabelNs: part('Namespaces of labels that may not be set.'),
    extraLabelNs: part('Namespaces of labels that may be set though they are denied.'),
    labelWhiteList: part('Regular expression of the names of labels.'),
    noPublish: part('Change no node.'),
    enableTaints: part('Let rules taint nodes.'),
    resyncPeriod: part('How often all nodes are looked at again.'),
    leaderElection: part('Election of the leader of several replicas.'),
    nfdApiParallelism: part('Nodes that are updated at once.'),
    informerPageSize: part('Objects that are listed at once when it starts.'),
    klog: part('Its log.'),
    restrictions: part('What objects of the cluster may do.'),
  }));

export const workerConfig = () =>
  strictObject(() => ({
    core: part('What is looked for, how often, and what is done with it.'),
    sources: part('Settings of the sources that have any.'),
  }));

export const topologyUpdaterConfig = () =>
  strictObject(() => ({
    excludeList: part('Resources that are not looked at, by the name of the node.'),
  }));

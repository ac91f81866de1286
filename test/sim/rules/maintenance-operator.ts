import { cordonMark } from '../../kit/records.js';
import { driverKeys } from '../../../src/shared/contract/labels.js';
import type { StoredNodeMaintenance } from '../../../src/forecast/simulation/store.js';
import { labelPrefixOf } from '../scenario/git.js';
import type { Scenario } from '../scenario/scenario.js';
import type { Simulation } from '../simulation.js';
import { Violation } from './rules.js';

const RESTING: ReadonlySet<string | undefined> = new Set([undefined, '', 'upgrade-required', 'upgrade-done']);

/**
 * Checks what the companion writes where the Maintenance Operator drains, and returns the check of what is left when a part of the run
 * is over.
 */
export function watchMaintenance({ cluster, git }: Simulation, { incidents }: Scenario): () => void {
  const { store } = cluster;
  const settings = cluster.policy.nodeMaintenance;
  if (settings === undefined) return () => undefined;
  const us = settings.requestorID;
  const isOurs = ({ requestor, additionalRequestors }: StoredNodeMaintenance): boolean =>
    requestor === us || additionalRequestors.includes(us);
  const objectOf = (node: string): StoredNodeMaintenance | undefined =>
    [...store.nodeMaintenances.values()].find((one) => one.node === node && isOurs(one));
  const checkOnly = ({ node, name }: StoredNodeMaintenance): void => {
    const held = [...store.nodeMaintenances.values()].filter((one) => one.node === node && isOurs(one));
    if (held.some((one) => one.name !== name && !one.isDeleting))
      throw new Violation('the companion has one NodeMaintenance of a node', held.map((one) => one.name).join(', '));
  };
  const keys = git.drivers.map((driver) => driverKeys(labelPrefixOf(driver)));
  const states = keys.map(({ state }) => state);
  const skips = keys.map(({ skip }) => skip);
  const isEdited = incidents.some(({ kind }) => kind === 'drainer');
  /** The operator does not cordon these again, whoever lifted the cordon. The companion may see that before it sees the object go. */
  const drained = new Set<string>();
  store.nodeMaintenances.listen((_name, _before, after) => {
    if (after?.isReady === true) drained.add(after.node);
  });
  store.nodes.listen((name, before, after, actor) => {
    // Nodes that began while the document had no drainer are the companion's to the end, also if another driver asks the operator meanwhile.
    const { annotations = {} } = before ?? {};
    const isAsked = keys.some(({ requestorMode }) => requestorMode in annotations);
    const isOwn = cordonMark(annotations) !== undefined || (after?.unschedulable === true && drained.has(name));
    const isOfOperator = (!isEdited || isAsked) && !isOwn;
    if (actor === 'ours' && isOfOperator && before?.unschedulable !== after?.unschedulable)
      throw new Violation('the companion sets and lifts no cordon where the Maintenance Operator does', name);
  });
  store.pods.listen((_key, before, _after, actor) => {
    if (actor !== 'ours' || before === undefined) return;
    const { kind } = before.lifecycle;
    if (kind === 'driver' || kind === 'gated' || before.deletionMs !== undefined) return;
    if (store.nodes.get(before.nodeName) !== undefined && objectOf(before.nodeName)?.isReady === false)
      throw new Violation('evicts nothing before the Maintenance Operator has drained the node', before.name);
  });
  store.nodeMaintenances.listen((_name, before, after, actor) => {
    if (actor !== 'ours') return;
    if (before === undefined && after !== undefined) checkOnly(after);
    const others = ({ additionalRequestors }: StoredNodeMaintenance): string =>
      additionalRequestors.filter((id) => id !== us).join();
    if (before !== undefined && after !== undefined && others(before) !== others(after))
      throw new Violation('never changes another requestor', after.name);
    const isEnded = after === undefined || (after.isDeleting && before?.isDeleting !== true);
    if (before !== undefined && isEnded && before.requestor !== us)
      throw new Violation('never deletes the object of another requestor', before.name);
  });
  return () => {
    const isFailed = [...store.nodes.values()].some(({ labels }) =>
      states.some((key) => labels[key] === 'upgrade-failed'),
    );
    for (const one of store.nodeMaintenances.values()) {
      const node = store.nodes.get(one.node);
      const isHeld = (one.requestor === us && !one.isDeleting) || one.additionalRequestors.includes(us);
      // One that is tried again, and waits because too many others failed, is kept, too.
      if (isFailed && states.some((key) => node?.labels[key] === 'upgrade-required')) continue;
      if (node === undefined || !isHeld || states.some((key) => !RESTING.has(node.labels[key]))) continue;
      // One that failed, and that an administrator leaves out since then, is kept as it is.
      if (skips.some((key) => node.labels[key] === 'true')) continue;
      throw new Violation('every NodeMaintenance is given back', `${one.name}: ${one.phase}`);
    }
  };
}

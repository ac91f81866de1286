import { applyPatch } from 'rfc6902';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { type ChangeName, type ChoosesRelease, since } from '../releases/changes.js';
import nicConfigurationFields from './before/nic-configuration-fields.json' with { type: 'json' };
import spectrumXNodeStates from './before/spectrum-x-node-states.json' with { type: 'json' };
import vfStateFollow from './before/vf-state-follow.json' with { type: 'json' };

/** The values that a definition had before a change, by JSON pointer; `null` where it had none. */
type Before = Readonly<Record<string, unknown>>;

/** Newest change first, as they are undone. */
const befores: readonly { readonly change: ChangeName; readonly definitions: Readonly<Record<string, Before>> }[] = [
  { change: 'vf-state-follow', definitions: vfStateFollow },
  { change: 'spectrum-x-node-states', definitions: spectrumXNodeStates },
  { change: 'nic-configuration-fields', definitions: nicConfigurationFields },
];

/** The names of the definitions that a change is in. */
export function definitionsWith(name: ChangeName): readonly string[] {
  return befores.flatMap(({ change, definitions }) => (change === name ? Object.keys(definitions) : []));
}

/** By the definition and the changes that are undone in it: equal clusters of a run share one object. */
const known = new Map<string, KubernetesObject>();

/** Changes of a definition that the operator of the cluster's release does not have. */
export function changesAfter(cluster: ChoosesRelease, name: string): readonly ChangeName[] {
  return befores
    .filter(({ change, definitions }) => Object.hasOwn(definitions, name) && !since(cluster, change))
    .map(({ change }) => change);
}

/** A definition as the operator of the cluster's release has it, from the newest one. */
export function definitionOf(cluster: ChoosesRelease, crd: KubernetesObject): KubernetesObject {
  const { name } = crd.metadata;
  const undone = changesAfter(cluster, name);
  if (undone.length === 0) return crd;
  const key = [name, ...undone].join(' ');
  const found = known.get(key) ?? undo(crd, undone);
  known.set(key, found);
  return found;
}

function undo(crd: KubernetesObject, undone: readonly ChangeName[]): KubernetesObject {
  const older = structuredClone(crd);
  for (const { change, definitions } of befores) {
    if (!undone.includes(change)) continue;
    const operations = Object.entries(definitions[crd.metadata.name] ?? {}).map(([path, value]) =>
      value === null ? ({ op: 'remove', path } as const) : ({ op: 'add', path, value } as const),
    );
    const error = applyPatch(older, operations).find((one) => one !== null);
    if (error) throw error;
  }
  return older;
}

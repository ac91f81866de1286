import { allComponents } from '../../compile/components/all.js';
import { STATE_LABEL } from '../../shared/contract/labels.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { parsedJson, textAt } from '../../shared/lib/json.js';
import { listed } from '../../shared/lib/listed.js';
import { textsAt } from '../../cluster/changes/data.js';

const SHOWN_RESOURCES = 4;

/** The resources that the configuration of a device plugin offers to pods, with their prefixes; empty for all other objects. */
export function offeredBy(object: KubernetesObject): readonly string[] {
  if (object.kind !== 'ConfigMap') return [];
  const state = textAt(object, 'metadata', 'labels', STATE_LABEL);
  const offers = allComponents.find(({ statusName }) => statusName === state)?.offers;
  if (offers === undefined) return [];
  const configs = [...textsAt(object, 'data').values()].map(parsedJson);
  // The section of each device plugin has its configuration in `config`.
  return [...new Set(configs.flatMap((config) => offers({ config }).map(({ name }) => name)))];
}

/**
 * Sentences about the resources that go with a device plugin, or with entries of its configuration.
 *
 * @param to absent if the configuration is removed
 * @param offered what the plugins of the new output offer on any node
 */
export function lostResourceNotes(
  from: KubernetesObject,
  to: KubernetesObject | undefined,
  offered: ReadonlySet<string>,
): readonly string[] {
  const left = new Set(to ? offeredBy(to) : []);
  const lost = offeredBy(from).filter((name) => !left.has(name));
  const gone = lost.filter((name) => !offered.has(name));
  const elsewhere = lost.filter((name) => offered.has(name));
  const shown = (names: readonly string[]) =>
    listed(
      names.map((name) => `\`${name}\``),
      SHOWN_RESOURCES,
    );
  return [
    ...(gone.length > 0
      ? [
          `no node offers ${shown(gone)} any more: pods that request it are not scheduled; running pods keep their devices`,
        ]
      : []),
    ...(elsewhere.length > 0
      ? [
          `offers ${shown(elsewhere)} no longer: pods that request it are scheduled only where another device plugin offers it`,
        ]
      : []),
  ];
}

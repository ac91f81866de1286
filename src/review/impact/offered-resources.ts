import type { ResourceOffer } from '../../compile/components/component.js';
import { allComponents } from '../../compile/components/all.js';
import { STATE_LABEL } from '../../shared/contract/labels.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { isObject, parsedJson, textAt } from '../../shared/lib/json.js';
import { groupBy } from '../../shared/lib/group-by.js';
import { listed } from '../../shared/lib/listed.js';
import { textsAt } from '../../cluster/changes/data.js';

const SHOWN_RESOURCES = 4;

/** The offers of the configuration of a device plugin; none for all other objects. */
function offersIn(object: KubernetesObject): readonly Offered[] {
  if (object.kind !== 'ConfigMap') return [];
  const state = textAt(object, 'metadata', 'labels', STATE_LABEL);
  const offers = allComponents.find(({ statusName }) => statusName === state)?.offers;
  if (offers === undefined) return [];
  const configs = [...textsAt(object, 'data').values()].map(parsedJson);
  // The section of each device plugin has its configuration in `config`.
  return configs.flatMap((config) => {
    const entries = isObject(config) ? (Object.values(config).find(Array.isArray) ?? []) : [];
    return offers({ config }).map(({ name, most }, index): Offered => ({
      name,
      most,
      devices: devicesOf(entries[index]),
    }));
  });
}

/** What a configuration offers under a name. */
interface Offered extends Pick<ResourceOffer, 'name' | 'most'> {
  /** How it says which devices those are. */
  readonly devices: string;
}

function devicesOf(entry: unknown): string {
  const { selectors, devices } = isObject(entry) ? entry : {};
  return JSON.stringify([selectors, devices]);
}

/** The resources that the configuration of a device plugin offers to pods, with their prefixes; empty for all other objects. */
export function offeredBy(object: KubernetesObject): readonly string[] {
  return [...new Set(offersIn(object).map(({ name }) => name))];
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
    ...(to ? keptResourceNotes(from, to) : []),
  ];
}

/** Of the resources that stay: another number, and other devices. The kubelet takes nothing from running pods. */
function keptResourceNotes(from: KubernetesObject, to: KubernetesObject): readonly string[] {
  const before = groupBy(offersIn(from), ({ name }) => name);
  const after = groupBy(offersIn(to), ({ name }) => name);
  return [...before].flatMap(([name, old]) => {
    const next = after.get(name) ?? [];
    if (next.length === 0) return [];
    const [had, has] = [mostOf(old), mostOf(next)];
    const isFewer = had !== undefined && has !== undefined && has < had;
    const isOther = textOfDevices(old) !== textOfDevices(next);
    return [
      ...(isFewer
        ? [
            `a node offers ${has} of \`${name}\`, ${had} before: running pods keep their devices; new pods that request it wait while so many are in use`,
          ]
        : []),
      ...(isOther
        ? [
            `\`${name}\` has other devices: running pods keep theirs; where a node has fewer of them, fewer pods are scheduled`,
          ]
        : []),
    ];
  });
}

function mostOf(offers: readonly Offered[]): number | undefined {
  return offers.reduce<number | undefined>(
    (sum, { most }) => (sum === undefined || most === undefined ? undefined : sum + most),
    0,
  );
}

const textOfDevices = (offers: readonly Offered[]): string => offers.map(({ devices }) => devices).join();

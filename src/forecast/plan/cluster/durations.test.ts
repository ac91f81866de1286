import { describe, expect, it } from '@jest/globals';
import { fleetOf, type Fleet } from '../../../../test/plan/fleet.js';
import { desiredOf } from '../desired.js';
import type { ListedObject } from '../../../shared/kubernetes/listed-object.js';
import { objectsOf } from '../snapshot/objects.js';
import { plannedDurations } from './durations.js';

const CREATED_SECONDS = Date.parse('2026-11-25T00:00:00Z') / 1000;

function durationsOf({ objects, snapshot }: Fleet, durations = {}) {
  const desired = desiredOf(objects);
  if (desired === undefined) throw new Error('the fleet has no policy');
  const found = plannedDurations(objectsOf(snapshot), desired.policy, { durations });
  return Object.fromEntries(found.map(({ name, ...rest }) => [name, rest]));
}

/** Each object of a kind with other metadata. */
function withMetadata(fleet: Fleet, kind: string, metadataOf: (index: number) => object): Fleet {
  let index = 0;
  const items = (fleet.snapshot.items as readonly ListedObject[]).map((item) =>
    item.kind === kind ? { ...item, metadata: { ...item.metadata, ...metadataOf(index++) } } : item,
  );
  return { ...fleet, snapshot: { items } };
}

/** The nodes were done so many seconds after their driver pods were created. */
const doneAfter = (fleet: Fleet, secondsOf: (index: number) => number): Fleet =>
  withMetadata(fleet, 'Node', (index) => ({
    annotations: { 'weft.dev/ofed-done': `abcd1234 ${CREATED_SECONDS + secondsOf(index)}` },
  }));

describe('durations of a plan', () => {
  it('of drivers are those of past upgrades, by the annotations of the nodes', () => {
    const { driver } = durationsOf(doneAfter(fleetOf({ nodes: 11 }), (index) => 300 + 10 * index));
    expect(driver).toEqual({ from: 310, to: 390, source: expect.stringContaining('measured: 11 past upgrades') });
  });

  it('are those of the last start of each pod where nodes have no such annotation, or an older one than their pod', () => {
    const starts = { from: 240, to: 240, source: expect.stringContaining('measured: 4 pods of this cluster') };
    expect(durationsOf(fleetOf({ nodes: 4 }))).toMatchObject({ driver: starts });
    expect(durationsOf(doneAfter(fleetOf({ nodes: 4 }), () => -60))).toMatchObject({ driver: starts });
    expect(durationsOf(fleetOf({ nodes: 4 }))).toMatchObject({
      workload: { source: expect.stringContaining('measured: 8 pods of this cluster') },
    });
  });

  it('are the defaults with fewer than three measurements, and what the user gives before all', () => {
    expect(durationsOf(fleetOf({ nodes: 2 }))).toMatchObject({
      driver: { from: 180, to: 480, source: 'default' },
      termination: { from: 1, to: 30, source: 'default' },
    });
    const given = { driver: { from: 60, to: 90 } };
    expect(
      durationsOf(
        doneAfter(fleetOf({ nodes: 4 }), () => 300),
        given,
      ),
    ).toMatchObject({
      driver: { from: 60, to: 90, source: 'given' },
    });
  });
});

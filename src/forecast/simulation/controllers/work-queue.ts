import type { SimulatedCluster } from '../simulated-cluster.js';

/** Calls `sync` a moment after keys were added, with all of them: a controller's queue. */
export function workQueue(cluster: SimulatedCluster, sync: (keys: ReadonlySet<string>) => void): (key: string) => void {
  let keys = new Set<string>();
  let isDue = false;
  return (key) => {
    keys.add(key);
    if (isDue) return;
    isDue = true;
    cluster.events.after(controllerDelayMs(cluster), () => {
      const all = keys;
      keys = new Set();
      isDue = false;
      sync(all);
    });
  };
}

function controllerDelayMs({ conditions, chance, hasFaults }: SimulatedCluster): number {
  return conditions.durations?.controllerMs ?? chance.controllers.int(5, hasFaults ? 400 : 60);
}

import { describe, expect, it } from '@jest/globals';
import type { Incident } from '../scenario/incidents.js';
import type { Scenario } from '../scenario/scenario.js';
import { runScenario } from '../run/run.js';
import { evenScenario } from './even-scenario.js';

const rollout: Incident = { kind: 'rollout', prefix: 'ofed', digest: 'ofed-2', atMs: 5000, applyMs: 1000 };
const requestAt = (atMs: number): Incident => ({ kind: 'request', node: 'n1', prefix: 'ofed', atMs });

function run(scenario: Scenario, change: Partial<Scenario>) {
  const { violation, log } = runScenario({ ...scenario, ...change });
  return { violation, log: log.join('\n') };
}

describe('the rules allow', () => {
  it('a canary that is done and has soaked to be upgraded again while others are', () => {
    const scenario = evenScenario({ nodes: 2, driver: { maxParallelUpgrades: 0 }, rollout: { canary: { nodes: 1 } } });
    const { violation, log } = run(scenario, { incidents: [rollout, requestAt(40_000)] });
    expect(violation).toBeUndefined();
    expect(log).toMatch(/patch n2 [^\n]*begin[^]*kind=request[^]*patch n1 [^\n]*begin[^]*patch n2 [^\n]*back/);
  });

  it('a cordon of the companion on a node that the Maintenance Operator has drained and does not cordon again', () => {
    const scenario = evenScenario({ nodes: 1 });
    const other = { kind: 'other-requestor', node: 'n1', id: 'example.com.firmware', forMs: 240_000, drains: false };
    const { violation, log } = run(scenario, {
      git: { ...scenario.git, isMaintained: true },
      maintenanceOperator: { maxParallel: 0 },
      incidents: [
        { kind: 'name-prefix', namePrefix: 'network-operator', atMs: 1000 },
        rollout,
        { ...other, atMs: 25_000 } as Incident,
        requestAt(90_000),
      ],
    });
    expect(violation).toBeUndefined();
    expect(log).toMatch(/patch n1 cordon/);
  });
});

import { expect, it } from '@jest/globals';
import { putDaemonSet, putDriverPod, putStatus, statusOf } from '../../../../test/kit/idle-cluster.js';
import { run, setUpCluster, stateOf } from '../../../../test/kit/runs.js';
import { canonicalJson } from '../../../shared/lib/json.js';
import { policyOf } from '../../../../test/kit/policy-settings.js';
import { IGNORE_WINDOWS_ANNOTATION } from '../../../shared/contract/labels.js';
import { isoSecond } from '../../../shared/lib/time.js';

it('rolls back outside of the window, as the guide says: revert, apply, ignore the windows', async () => {
  const window = '{"schedule":"0 3 1 1 *","duration":"1h"}';
  const { cluster, policy, ports } = setUpCluster(3, [`rollout.maintenanceWindows=[${window}]`]);
  // n1 got the new driver; the commit is reverted and applied.
  putDriverPod(cluster, 'n1', 'mofed', 'v2', true);
  policy.daemonSets.set('mofed', 'v1');
  putDaemonSet(cluster, 'mofed', 'v1');
  ports.policy.text = canonicalJson(policyOf(policy));
  expect(await run(ports)).toMatchObject({ reason: 'waiting' });
  expect(stateOf(cluster, 'n1')).toBe('upgrade-required');

  const until = isoSecond(ports.clock.now() + 3_600_000);
  putStatus(ports.simulated, { annotations: { [IGNORE_WINDOWS_ANNOTATION]: until } });
  expect(await run(ports, { runId: 'job-b' })).toMatchObject({ reason: 'done' });
  expect(stateOf(cluster, 'n1')).toBe('upgrade-done');
  const message = expect.stringContaining(`maintenance windows are ignored until ${until}`);
  expect(ports.logs).toContainEqual(expect.objectContaining({ message }));
  expect(statusOf(ports.simulated)?.data['status.json']).toEqual(message);
  expect(statusOf(ports.simulated)?.annotations[IGNORE_WINDOWS_ANNOTATION]).toBe(until);
});

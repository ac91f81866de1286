import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import { beforeAll, expect, it } from '@jest/globals';
import { bundledForCompanion } from '../../scripts/build-companion.js';
import { canonicalJson } from '../../src/lib/json.js';
import { parsePolicy } from '../../src/upgrade/runtime/loop/policy.js';
import { createPolicySettings, policyOf, set } from '../kit/policy-settings.js';

/** The build removes parts of zod from the program, which must still read policies like the source. */
let bundled: { readonly parsePolicy: typeof parsePolicy };

beforeAll(async () => {
  const code = await bundledForCompanion('src/upgrade/runtime/loop/policy.ts');
  const module = { exports: {} };
  const run = compileFunction(code, ['module', 'exports', 'require']) as (...args: readonly unknown[]) => void;
  run(module, module.exports, createRequire(__filename));
  bundled = module.exports as typeof bundled;
});

function documentWith(...settings: readonly string[]): string {
  const policy = createPolicySettings();
  policy.daemonSets.set('mofed', '0123456789abcdef');
  settings.forEach((setting) => set(policy, setting));
  return canonicalJson(policyOf(policy));
}

const FULL = documentWith(
  'maxParallelUpgrades=3',
  'drain.podSelector=app=a',
  'rollout.canary={"nodes":1,"soak":"30m"}',
  'rollout.maintenanceWindows=[{"schedule":"0_22_*_*_5","duration":"6h","timeZone":"Europe/Oslo"}]',
  'rollout.pools=[{"name":"a","nodeSelector":{"pool":"a"},"maxUnavailable":"10%"}]',
  'rollout.validation={"resources":["rdma/a"]}',
  'rollout.failureBudget=25%',
);
const changed = (from: string, to: string): string => {
  expect(FULL).toContain(from);
  return FULL.replace(from, to);
};

it.each([
  { name: 'a minimal document', text: () => documentWith() },
  { name: 'a full document', text: () => FULL },
  { name: 'no JSON', text: () => '{' },
  { name: 'another kind', text: () => changed('"UpgradePolicy"', '"Other"') },
  { name: 'an unknown key', text: () => changed('"paused"', '"pausd"') },
  { name: 'a value of another type', text: () => changed('"maxParallelUpgrades":3', '"maxParallelUpgrades":"3"') },
  { name: 'a negative number', text: () => changed('"maxParallelUpgrades":3', '"maxParallelUpgrades":-3') },
  { name: 'a percentage', text: () => changed('"25%"', '"250%"') },
  { name: 'a duration', text: () => changed('"30m"', '"30 minutes"') },
  { name: 'a schedule', text: () => changed('0 22 * * 5', '0 25 * * 5') },
  { name: 'a time zone', text: () => changed('Europe/Oslo', 'Europe/Olso') },
  { name: 'a selector', text: () => changed('app=a', 'app in a') },
  { name: 'a driver of another API', text: () => changed('"network-operator"', '"other-operator"') },
  {
    name: 'a DaemonSet that is listed twice',
    text: () => changed('"daemonSets":[', '"daemonSets":[{"name":"mofed","digest":""},'),
  },
])('reads $name as the source does', ({ text }) => {
  expect(JSON.parse(JSON.stringify(bundled.parsePolicy(text())))).toEqual(
    JSON.parse(JSON.stringify(parsePolicy(text()))),
  );
});

it('is the same each time', async () => {
  const entry = 'src/contract/upgrade-policy.ts';
  expect(await bundledForCompanion(entry)).toBe(await bundledForCompanion(entry));
});

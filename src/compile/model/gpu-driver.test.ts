import { describe, expect, it } from '@jest/globals';
import { clusterText, compile, problemLines, UBUNTU_POOL } from '../../../test/golden/compile.js';
import { gpuDriver } from './gpu-driver.js';

const found = (section: string) =>
  compile({ 'cluster.yaml': clusterText(`  release: v26.7\n  gpuDriver: ${section}\n  nodePools:\n${UBUNTU_POOL}`) })
    .diagnostics;

it('has the names of the GPU operator', () => {
  expect(gpuDriver.parse({})).toMatchObject({
    operator: false,
    namespace: 'gpu-operator',
    daemonSetSelector: 'app.kubernetes.io/component=nvidia-driver',
    podSelector: 'app.kubernetes.io/component=nvidia-driver',
    containerName: 'nvidia-driver-ctr',
    validationPodSelector: 'app=nvidia-operator-validator',
    startupSeconds: 1260,
    upgradePolicy: { autoUpgrade: false, maxParallelUpgrades: 1, maxUnavailable: '25%' },
  });
});

describe('a wrong section', () => {
  it.each([
    { section: '{daemonSetSelector: ""}', expected: '`spec.gpuDriver.daemonSetSelector` must not be empty' },
    {
      section: '{podSelector: "a=b=c"}',
      expected: '`spec.gpuDriver.podSelector`: `b=c` in `a=b=c` is no valid label value',
    },
    { section: '{namespace: GPU}', expected: '`spec.gpuDriver.namespace` must be lower-case letters, digits and `-`' },
    {
      section: '{upgradePolicy: {podDeletion: {}, gpuPodDeletion: {}}}',
      expected: '`spec.gpuDriver.upgradePolicy.podDeletion` is another name of `gpuPodDeletion`, which is set too',
    },
    {
      section: '{upgradePolicy: {drain: {podSelector: app in x}}}',
      expected: '`spec.gpuDriver.upgradePolicy.drain.podSelector`: `app in x` is neither a label key nor a requirement',
    },
    { section: '{upgradePolicy: {maxUnavailable: 1.5}}', expected: '`spec.gpuDriver.upgradePolicy.maxUnavailable`' },
  ])('$section', ({ section, expected }) => {
    const errors = found(section).filter(({ severity }) => severity === 'error');
    expect(problemLines(errors).join('\n')).toContain(expected);
    expect(errors).toHaveLength(1);
  });
});

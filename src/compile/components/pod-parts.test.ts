import { describe, expect, it } from '@jest/globals';
import { compile, PLAIN_CLUSTER, policyText } from '../../../test/golden/compile.js';
import type { ImageSpec } from '../model/shapes/image-spec.js';
import type { PodSpec } from '../../shared/kubernetes/types.js';
import { pullSecrets, visible } from './pod-parts.js';

const image: ImageSpec = { image: 'a', repository: 'b.c', version: '1', imagePullSecrets: [] };

describe('what apply takes', () => {
  it('has each pull secret once, in the order of the policy', () => {
    const imagePullSecrets = ['second', 'first', 'second'];
    expect(pullSecrets({ ...image, imagePullSecrets })).toEqual({
      imagePullSecrets: [{ name: 'second' }, { name: 'first' }],
    });
    expect(pullSecrets(image)).toEqual({});
  });

  it('has each variable once, where the one stands that counts', () => {
    const variables = [
      { name: 'LEVEL', value: 'info' },
      { name: 'OTHER', value: '$(LEVEL)' },
      { name: 'LEVEL', value: 'debug' },
    ];
    expect(visible(variables)).toEqual(variables.slice(1));
  });

  it('is what becomes of a policy that names variables of the components, and all twice', () => {
    const env = 'env: [{name: LOG_LEVEL, value: a}, {name: NODE_NAME, value: b}, {name: NODE_NAME, value: c}]';
    const spec = `  global: {imagePullSecrets: [s, s]}\n  ofedDriver: {${env}}\n  nicConfigurationOperator: {${env}}\n`;
    const policy = policyText('NicClusterPolicy', 'nic-cluster-policy', spec);
    const { placed } = compile({ 'cluster.yaml': PLAIN_CLUSTER, 'policy.yaml': policy });
    const pods = placed
      .filter(({ object }) => object.kind === 'DaemonSet' || object.kind === 'Deployment')
      .map(({ object }) => (object['spec'] as { readonly template: { readonly spec: PodSpec } }).template.spec);
    const lists = pods.flatMap(({ imagePullSecrets = [], initContainers = [], containers }) => [
      imagePullSecrets,
      ...[...initContainers, ...containers].map((container) => container.env ?? []),
    ]);
    expect(lists.filter((list) => list.length > 0)).toHaveLength(7);
    for (const names of lists.map((list) => list.map(({ name }) => name))) expect(names).toEqual([...new Set(names)]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { OFED_DRIVER_LABEL } from '../../../shared/contract/labels.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';
import { guardedProblem } from './guarded.js';

const driver: KubernetesObject = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'mofed', labels: { [OFED_DRIVER_LABEL]: '' }, annotations: { 'helm.sh/resource-policy': 'keep' } },
  spec: { updateStrategy: { type: 'OnDelete' }, template: { metadata: { labels: { [OFED_DRIVER_LABEL]: '' } } } },
};
const plugin: KubernetesObject = {
  ...driver,
  metadata: { name: 'plugin', labels: { app: 'plugin' } },
  spec: { updateStrategy: { type: 'RollingUpdate' }, template: { metadata: { labels: { app: 'plugin' } } } },
};
const withMetadata = (object: KubernetesObject, metadata: object): KubernetesObject => ({
  ...object,
  metadata: { ...object.metadata, ...metadata },
});
const withSpec = (object: KubernetesObject, spec: object): KubernetesObject => ({
  ...object,
  spec: { ...(object['spec'] as object), ...spec },
});

describe('what a patch cannot change', () => {
  it.each<[string, KubernetesObject, KubernetesObject, string]>([
    ['owners', plugin, withMetadata(plugin, { ownerReferences: [{ uid: 'a' }] }), 'metadata.ownerReferences'],
    ['finalizers', plugin, withMetadata(plugin, { finalizers: ['example.com/a'] }), 'metadata.finalizers'],
    [
      'an annotation of Argo CD',
      plugin,
      withMetadata(plugin, { annotations: { 'argocd.argoproj.io/hook': 'PreSync' } }),
      'metadata.annotations["argocd.argoproj.io/hook"]',
    ],
    [
      'an annotation of Flux',
      plugin,
      withMetadata(plugin, { annotations: { 'kustomize.toolkit.fluxcd.io/force': 'enabled' } }),
      'metadata.annotations["kustomize.toolkit.fluxcd.io/force"]',
    ],
    [
      'a label of Flux, which reads its annotations there, too',
      plugin,
      withMetadata(plugin, { labels: { app: 'plugin', 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' } }),
      'metadata.labels["kustomize.toolkit.fluxcd.io/reconcile"]',
    ],
    [
      'an annotation by which kustomize leaves an object out',
      plugin,
      withMetadata(plugin, { annotations: { 'config.kubernetes.io/local-config': 'true' } }),
      'metadata.annotations["config.kubernetes.io/local-config"]',
    ],
    [
      'one by which kustomize renames it',
      plugin,
      withMetadata(plugin, { annotations: { 'internal.config.kubernetes.io/needsHashSuffix': 'enabled' } }),
      'metadata.annotations["internal.config.kubernetes.io/needsHashSuffix"]',
    ],
    [
      'all annotations, with those that keep it',
      driver,
      withMetadata(driver, { annotations: {} }),
      'metadata.annotations["helm.sh/resource-policy"]',
    ],
    [
      'the annotation for `weft diff`',
      plugin,
      withMetadata(plugin, { annotations: { 'weft.dev/removal': 'drain' } }),
      'metadata.annotations["weft.dev/removal"]',
    ],
    [
      'the label of drivers',
      plugin,
      withMetadata(plugin, { labels: { [OFED_DRIVER_LABEL]: '' } }),
      'metadata.labels["nvidia.com/ofed-driver"]',
    ],
    [
      'the label of driver pods',
      driver,
      withSpec(driver, { template: {} }),
      'spec.template.metadata.labels["nvidia.com/ofed-driver"]',
    ],
    [
      'the owner of a driver',
      driver,
      withMetadata(driver, { labels: { [OFED_DRIVER_LABEL]: '', 'ds-owner': 'x' } }),
      'metadata.labels.ds-owner',
    ],
    [
      'the update strategy of a driver',
      driver,
      withSpec(driver, { updateStrategy: { type: 'RollingUpdate' } }),
      'spec.updateStrategy',
    ],
    [
      'the one node that a DaemonSet is for',
      plugin,
      withSpec(plugin, { template: { metadata: { labels: { app: 'plugin' } }, spec: { nodeName: 'n1' } } }),
      'spec.template.spec.nodeName',
    ],
  ])('%s', (_name, object, patched, path) => {
    expect(guardedProblem(object, patched)?.messageFor('it')).toBe(`changes \`${path}\` of it`);
  });

  it.each<[string, KubernetesObject, KubernetesObject]>([
    ['the update strategy of others', plugin, withSpec(plugin, { updateStrategy: { type: 'OnDelete' } })],
    ['labels', driver, withMetadata(driver, { labels: { [OFED_DRIVER_LABEL]: '', team: 'hpc' } })],
    ['other annotations', plugin, withMetadata(plugin, { annotations: { 'example.com/team': 'hpc' } })],
  ])('it can change: %s', (_name, object, patched) => {
    expect(guardedProblem(object, patched)).toBeUndefined();
  });
});

import { NFD_LABELS, OFED_DRIVER_CONTAINER } from '../../shared/contract/labels.js';
import type { NamedObject } from '../../shared/kubernetes/listed-object.js';
import { compareText, listAt, textAt } from '../../shared/lib/json.js';
import { isIn } from './source.js';

/**
 * The tags of precompiled drivers that run in the operator's namespace: the kernel of the nodes is a part of the tag (network-operator v26.7,
 * pkg/state/state_ofed.go `precompiledTagFormat`). The operator looks for a tag in the registry, and `synth` asks no registry.
 */
export function precompiledTags(objects: readonly NamedObject[], namespace: string): readonly string[] {
  const drivers = objects.filter(({ kind, metadata }) => kind === 'DaemonSet' && isIn(metadata.namespace, namespace));
  return [...new Set(drivers.flatMap(tagOf))].sort(compareText);
}

function tagOf(daemonSet: NamedObject): readonly string[] {
  const pod = ['spec', 'template', 'spec'];
  const kernel = textAt(daemonSet, ...pod, 'nodeSelector', NFD_LABELS.kernel);
  const driver = listAt(daemonSet, ...pod, 'containers').find((one) => textAt(one, 'name') === OFED_DRIVER_CONTAINER);
  const last = (textAt(driver, 'image') ?? '').split('/').at(-1) ?? '';
  const [, tag = ''] = /^[^:@]*:([^@]+)$/.exec(last) ?? [];
  return kernel !== undefined && tag.includes(`-${kernel}-`) ? [tag] : [];
}

import { allComponents } from '../../../components/all.js';
import { within, type Rule } from '../../../model/config.js';
import { formatPath } from '../../../model/issues.js';

/** Without its image the operator leaves the init container out without an error (network-operator b06827e0, pkg/state/state_ofed.go). */
export const initContainerKnown: Rule = {
  code: 'WEFT0267',
  *check({ instances, cluster }) {
    if (cluster.initContainerImage !== '') return;
    for (const { id, initContainerField } of allComponents) {
      for (const instance of instances.get(id) ?? []) {
        const path = initContainerField?.(instance.spec as never);
        if (!path) continue;
        const origin = within(instance.origin, ...path);
        yield {
          origin,
          message: `\`${formatPath(origin.path)}\` has no effect: the image of the init container is not known`,
          help: 'set `spec.driver.initContainerImage` or `spec.release` in the Cluster document',
        };
      }
    }
  },
};

import { isObject } from '../../../../shared/lib/json.js';
import { within, type Rule } from '../../../model/config.js';

/**
 * The garbage collector deletes an object whose owners do not exist (kubernetes v1.36,
 * pkg/controller/garbagecollector/garbagecollector.go `attemptToDeleteItem`), and a UID belongs to one object in one
 * cluster.
 */
export const objectWithoutOwner: Rule = {
  code: 'WEFT0279',
  severity: 'warning',
  title: 'an object is deleted with an owner that may not be there',
  *check({ passthrough }) {
    for (const { object, origin } of passthrough) {
      const { kind, metadata } = object;
      const { name, ownerReferences = [] } = isObject(metadata) ? metadata : {};
      const [owner] = ownerReferences as readonly { readonly kind: string; readonly name: string }[];
      if (!owner) continue;
      yield {
        origin: within(origin, 'metadata', 'ownerReferences'),
        at: 'key',
        message: `${String(kind)} \`${String(name)}\` is deleted where its owner, ${owner.kind} \`${owner.name}\` of that UID, is not in the cluster`,
        help: 'remove `ownerReferences`: what is applied from git needs no owner',
      };
    }
  },
};

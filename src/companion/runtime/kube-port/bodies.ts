import {
  COMPANION_LABELS,
  COMPANION_NAMES,
  EVENT_ROWS_ANNOTATION,
  NODE_EVENT_NAMESPACE,
} from '../../../shared/contract/labels.js';
import { isoSecond } from '../../../shared/lib/time.js';
import { timeOf } from './reduce.js';
import { resourceVersionOf } from '../../../shared/kube-client/watch.js';
import type { Access, LeaseRecord, ObjectEvent, VersionedLease } from '../ports.js';
import type { PatchNode } from '../../model/types.js';
import type { ApiLease } from '../../../shared/kubernetes/shapes/cluster.js';

/** Bodies of requests. */

const COMPONENT = 'weft-companion';

/** `MicroTime` of meta/v1: RFC 3339 with six digits. The Lease and `eventTime` need it; a `Time` has no fraction. */
function microTime(ms: number): string {
  return new Date(ms).toISOString().replace(/Z$/, '000Z');
}

/** A merge patch. The resourceVersion suffices as a precondition, because a node that was created again has another one. */
export function nodePatch({ resourceVersion, labels, annotations, unschedulable }: PatchNode): object {
  return {
    metadata: { resourceVersion, labels, annotations },
    ...(unschedulable !== undefined && { spec: { unschedulable } }),
  };
}

/** authorization.k8s.io/v1. */
export function accessReview({ group, resource: path, verb, namespace, name }: Access): object {
  const [resource = '', subresource] = path.split('/');
  return {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: { group, resource, subresource, verb, namespace, name } },
  };
}

export function configMapObject(
  namespace: string,
  name: string,
  data: Readonly<Record<string, string>>,
  known: { readonly annotations?: Readonly<Record<string, string>>; readonly resourceVersion?: string } = {},
): object {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, labels: COMPANION_LABELS, ...known },
    data,
  };
}

export function leaseObject(
  namespace: string,
  { record, resourceVersion }: { readonly record: LeaseRecord; readonly resourceVersion?: string },
): object {
  const { acquireMs, renewMs, holderIdentity, ...rest } = record;
  const known = resourceVersion === undefined ? {} : { resourceVersion };
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: COMPANION_NAMES.lease, namespace, labels: COMPANION_LABELS, ...known },
    spec: {
      ...rest,
      // An empty holder is left out, as client-go does it.
      ...(holderIdentity !== undefined && holderIdentity !== '' && { holderIdentity }),
      ...(acquireMs !== undefined && { acquireTime: microTime(acquireMs) }),
      ...(renewMs !== undefined && { renewTime: microTime(renewMs) }),
    },
  };
}

export function leaseOf(lease: ApiLease): VersionedLease {
  const { acquireTime, renewTime, ...rest } = lease.spec ?? {};
  const acquireMs = timeOf(acquireTime);
  const renewMs = timeOf(renewTime);
  return {
    record: { ...rest, ...(acquireMs !== undefined && { acquireMs }), ...(renewMs !== undefined && { renewMs }) },
    resourceVersion: resourceVersionOf(lease),
  };
}

/** The namespace of an Event: that of the object, or the one for objects without a namespace. */
export function eventNamespace({ about }: ObjectEvent): string {
  return about.namespace ?? NODE_EVENT_NAMESPACE;
}

/** An Event of core/v1, which `kubectl describe` shows by the object's UID. With `eventTime` it needs all of this. */
export function eventObject(event: ObjectEvent): object {
  const { key, about, type, reason, message, firstMs, rows = [] } = event;
  const annotations = rows.length === 0 ? {} : { annotations: { [EVENT_ROWS_ANNOTATION]: rows.join(' ') } };
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: key, namespace: eventNamespace(event), labels: COMPANION_LABELS, ...annotations },
    involvedObject: about,
    type,
    reason,
    message,
    action: 'Upgrade',
    source: { component: COMPONENT },
    reportingComponent: COMPONENT,
    reportingInstance: COMPONENT,
    eventTime: microTime(firstMs),
    ...seen(event),
  };
}

/** What another occurrence changes. */
export function eventPatch(event: ObjectEvent): object {
  return { message: event.message, ...seen(event) };
}

function seen({ count, firstMs, lastMs }: ObjectEvent): object {
  return { count, firstTimestamp: isoSecond(firstMs), lastTimestamp: isoSecond(lastMs) };
}

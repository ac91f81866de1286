import { didYouMean } from '../../../../shared/diagnostics/suggest.js';
import { parseQuantity } from '../../../../shared/kubernetes/quantity.js';
import { within, type Config, type Violation, type Origin, type Rule } from '../../../model/config.js';
import { formatPath } from '../../../model/issues.js';
import type { ImageSpec } from '../../../model/shapes/image-spec.js';
import { usedImages } from '../images/used-images.js';

type Resources = NonNullable<ImageSpec['containerResources']>[number];

interface Entry {
  readonly resources: Resources;
  readonly origin: Origin;
  readonly containers: readonly string[];
}

function* entries(config: Config): Iterable<Entry> {
  for (const { component, key, image, ...used } of usedImages(config)) {
    if (key.isHandedOn) continue;
    for (const [index, resources] of (image.containerResources ?? []).entries()) {
      const origin = within(used.origin, 'containerResources', index);
      yield { resources, origin, containers: component.containers(config.cluster) };
    }
  }
}

/** Resources for a container that does not exist would have no effect. */
export const containerName: Rule = {
  code: 'WEFT0202',
  severity: 'error',
  title: 'containerResources names a container that the component does not have',
  *check(config) {
    for (const { resources, origin, containers } of entries(config)) {
      if (containers.includes(resources.name)) continue;
      yield {
        origin: within(origin, 'name'),
        message: `\`${formatPath(origin.path.slice(0, -1))}\` names a container \`${resources.name}\` that does not exist`,
        help:
          didYouMean(resources.name, containers) ??
          `known containers: ${containers.map((name) => `\`${name}\``).join(', ')}`,
      };
    }
  },
};

const KINDS = ['cpu', 'memory'];

/** The operator's rules for amounts (network-operator b06827e0, api/v1alpha1/validator/nicpolicy_webhook.go). */
export const containerAmounts: Rule = {
  code: 'WEFT0203',
  severity: 'error',
  title: 'containerResources has an amount that is not allowed',
  *check(config) {
    for (const { resources, origin } of entries(config)) {
      for (const side of ['requests', 'limits'] as const) yield* wrongAmounts(resources, side, within(origin, side));
      yield* requestsOverLimits(resources, within(origin, 'requests'));
    }
  },
};

function* wrongAmounts(resources: Resources, side: 'requests' | 'limits', origin: Origin): Iterable<Violation> {
  for (const [kind, amount] of Object.entries(resources[side] ?? {})) {
    const place = within(origin, kind);
    if (!KINDS.includes(kind)) {
      const message = `\`${formatPath(place.path)}\` is not an amount that can be set`;
      yield { origin: place, at: 'key', message, help: 'known amounts: `cpu`, `memory`' };
    } else if ((parseQuantity(amount)?.nano ?? 0n) === 0n) {
      yield {
        origin: place,
        message: `\`${formatPath(place.path)}\` must not be zero`,
        help: 'remove it, or give an amount',
      };
    }
  }
}

function* requestsOverLimits({ requests = {}, limits = {} }: Resources, origin: Origin): Iterable<Violation> {
  for (const [kind, limit] of Object.entries(limits)) {
    const request = requests[kind];
    const [requested, allowed] = [parseQuantity(request ?? ''), parseQuantity(limit)];
    if (!requested || !allowed || requested.nano <= allowed.nano) continue;
    const place = within(origin, kind);
    yield {
      origin: place,
      message: `\`${formatPath(place.path)}\` is more than the limit, ${String(limit)}`,
      help: 'lower the request, or raise the limit',
    };
  }
}

import type { AnyComponent, DeviceSelector, ResourceOffer } from '../../../components/component.js';
import { allComponents } from '../../../components/all.js';
import { within, type Config, type Instance, type Origin } from '../../../model/config.js';
import { mountedBy, mountedText } from '../config-maps/mounted-texts.js';

/** A resource that a device plugin of the input offers. */
export interface Offer {
  readonly componentId: string;
  /** Whether names of one instance must differ without their prefixes, too. */
  readonly hasUniqueBareNames: boolean;
  /** Whether pods share its devices. */
  readonly sharesDevices: boolean;
  readonly selectors: readonly DeviceSelector[];
  /** How many a node offers at most; `undefined`: that depends on the node. */
  readonly most: number | undefined;
  readonly instance: Instance;
  /** With its prefix. */
  readonly name: string;
  /** The place of the resource in the input. */
  readonly origin: Origin;
}

/** Resources of one instance; `undefined` when they are in a ConfigMap that is not in the input or cannot be read. */
function offersOf(component: AnyComponent, instance: Instance, config: Config): readonly Offer[] | undefined {
  const read = (fields: object, originOf: (offer: ResourceOffer) => Origin) =>
    (component.offers?.({ ...(instance.spec as object), ...fields }) ?? []).map((offer) => ({
      componentId: component.id,
      hasUniqueBareNames: component.hasUniqueBareNames === true,
      sharesDevices: component.sharesDevices === true,
      selectors: offer.selectors,
      most: offer.most,
      instance,
      name: offer.name,
      origin: originOf(offer),
    }));
  const mounted = mountedBy(component, instance);
  if (!mounted) return read({}, ({ path }) => within(instance.origin, ...path));
  const known = mountedText(component, mounted, config);
  return known?.problems.length === 0 ? read({ [mounted.field]: known.text }, () => known.origin) : undefined;
}

/** What device plugins offer. */
interface Offers {
  readonly offers: readonly Offer[];
  /** Whether the list is complete: false if the configuration of a device plugin is not known. */
  readonly isComplete: boolean;
}

/** Everything that the device plugins of the input offer, in the order of the components. */
export function allOffers(config: Config): Offers {
  const found = allComponents
    .filter(({ offers }) => offers !== undefined)
    .flatMap((component) =>
      (config.instances.get(component.id) ?? []).map((instance) => offersOf(component, instance, config)),
    );
  return { offers: found.flatMap((offers) => offers ?? []), isComplete: !found.includes(undefined) };
}

/** The names of all resources that device plugins offer; `undefined` if the configuration of one is not known. */
export function offeredNames(config: Config): readonly string[] | undefined {
  const { offers, isComplete } = allOffers(config);
  return isComplete ? offers.map(({ name }) => name) : undefined;
}

/** The name of a resource without its prefix. */
export function bareName(resource: string): string {
  return resource.slice(resource.indexOf('/') + 1);
}

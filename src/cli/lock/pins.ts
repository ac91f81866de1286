import type { Pin, Pins } from '../../shared/kubernetes/image-pins.js';
import type { Answer } from './digest-tools.js';

/** What `weft.lock` of a cluster becomes. */
interface UpdatedPins {
  readonly pins: Pins;
  /** Images whose digest is not known, each with the reason. */
  readonly unresolved: ReadonlyMap<string, string>;
}

type Resolve = (image: string) => Answer;

/** Pins each image; those that have a pin keep it, unless all are resolved anew and the new digest is known. */
export function updatedPins(
  before: Pins,
  images: readonly string[],
  { update = false }: { readonly update?: boolean },
  resolve: Resolve,
): UpdatedPins {
  const pins = new Map<string, Pin>();
  const unresolved = new Map<string, string>();
  for (const image of images) {
    const pin = before.get(image);
    const answer = pin === undefined || update ? resolve(image) : pin;
    if ('problem' in answer) unresolved.set(image, answer.problem);
    const next = 'digest' in answer ? answer : pin;
    if (next !== undefined) pins.set(image, next);
  }
  return { pins, unresolved };
}

/** How pins differ from what they should be. */
interface PinDifferences {
  /** Images without a pin. */
  readonly missing: readonly string[];
  /** Images of pins that nothing uses. */
  readonly unused: readonly string[];
  /** Images whose tag has another digest. */
  readonly moved: readonly { readonly image: string; readonly pin: string; readonly now: string }[];
}

export function pinDifferences(pins: Pins, images: readonly string[], resolve: Resolve): PinDifferences {
  const used = new Set(images);
  const moved = images.flatMap((image) => {
    const pin = pins.get(image)?.digest;
    if (pin === undefined) return [];
    const answer = resolve(image);
    return 'digest' in answer && answer.digest !== pin ? [{ image, pin, now: answer.digest }] : [];
  });
  return {
    missing: images.filter((image) => !pins.has(image)),
    unused: [...pins.keys()].filter((image) => !used.has(image)),
    moved,
  };
}

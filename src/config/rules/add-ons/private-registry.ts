import { allAddOns } from '../../../addons/all.js';
import { needsCompanion } from '../../../delivery/drivers.js';
import { registryOf } from '../../../kubernetes/image-reference.js';
import { isObject, valueAt } from '../../../lib/json.js';
import { listedNames } from '../../../lib/listed.js';
import { within, type Config, type Violation, type Rule } from '../../../model/config.js';

/** The registry of NVIDIA's releases. Images of others are where their projects publish them. */
const NVIDIA_REGISTRY = 'nvcr.io';

/** A section of the Cluster document with images and pull secrets of its own, which `global` of a policy does not fill. */
interface Section {
  readonly key: string;
  readonly images: readonly string[];
  readonly pullSecrets: readonly string[];
}

/** Nodes behind a private registry may not reach the one that an add-on or the companion names. */
export const registryOfGlobal: Rule = {
  code: 'WEFT0306',
  severity: 'warning',
  title: 'an image is of another registry than `global.repository`',
  needsAllDocuments: true,
  *check(config) {
    const { registry } = globalOf(config);
    if (registry === NVIDIA_REGISTRY) return;
    for (const { key, images } of sectionsOf(config)) {
      const others = images.filter((image) => registryOf(image) !== registry);
      if (others.length === 0) continue;
      yield {
        ...placeOf(config, key),
        message: `\`spec.${key}\` names images of another registry than \`global.repository\`: ${listedNames(others, 3)}`,
        label: '`global` fills the images of policies only',
        help: `copy them to \`${registry}\` and name the copies in \`spec.${key}\`; or write \`# weft-ignore WEFT0306: reason\` where nodes reach that registry`,
      };
    }
  },
};

/** `global.imagePullSecrets` is for the sections of policies only. */
export const pullSecretsOfGlobal: Rule = {
  code: 'WEFT0307',
  severity: 'warning',
  title: 'a section lacks the pull secrets of `global`',
  needsAllDocuments: true,
  *check(config) {
    const { registry, pullSecrets } = globalOf(config);
    for (const section of sectionsOf(config)) {
      const missing = pullSecrets.filter((name) => !section.pullSecrets.includes(name));
      if (missing.length === 0 || !section.images.some((image) => registryOf(image) === registry)) continue;
      yield {
        ...placeOf(config, section.key),
        message: `\`spec.${section.key}\` lacks the pull secrets of \`global\`: ${listedNames(missing, 3)}`,
        label: `its images are of \`${registry}\`, too`,
        help: `add them to \`spec.${section.key}.imagePullSecrets\``,
      };
    }
  },
};

/** The registry of `global.repository`, by default NVIDIA's, and the pull secrets of `global`. */
function globalOf({ policies }: Config): { readonly registry: string; readonly pullSecrets: readonly string[] } {
  const globals = policies.map(({ origin }) => valueAt(origin.document.value, ['spec', 'global'])).filter(isObject);
  const repositories = globals.map(({ repository }) => repository).filter((one) => typeof one === 'string');
  const repository = repositories.find((one) => one !== '');
  return {
    registry: repository === undefined ? NVIDIA_REGISTRY : registryOf(repository),
    pullSecrets: globals.flatMap(({ imagePullSecrets }) => namesOf(imagePullSecrets)),
  };
}

function* sectionsOf(config: Config): Iterable<Section> {
  const { addOns, cluster } = config;
  for (const { id, source, images } of allAddOns) {
    const section = addOns.get(id);
    if (section === undefined) continue;
    const named = Object.values(images(section, cluster)).filter((image) => image !== undefined);
    yield { key: source.path[0], images: named, pullSecrets: namesOf(valueAt(section, ['imagePullSecrets'])) };
  }
  if (!needsCompanion(config)) return;
  const { image, nodeImage, imagePullSecrets } = cluster.spec.companion;
  yield { key: 'companion', images: [image === '' ? nodeImage : image], pullSecrets: imagePullSecrets };
}

/** Names of Secrets, which are texts in some sections and references in others. */
function namesOf(secrets: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(secrets) ? secrets : [];
  return all.map((one) => (isObject(one) ? one['name'] : one)).filter((name) => typeof name === 'string');
}

/** The section, or `spec` if the Cluster document has none. */
function placeOf({ cluster: { origin } }: Config, key: string): Pick<Violation, 'origin' | 'at'> {
  const isGiven = valueAt(origin.document.value, ['spec', key]) !== undefined;
  return { origin: isGiven ? within(origin, 'spec', key) : within(origin, 'spec'), at: 'key' };
}

import { registryOf } from '../../../../shared/kubernetes/image-reference.js';
import { isObject, valueAt } from '../../../../shared/lib/json.js';
import { listedNames } from '../../../../shared/lib/listed.js';
import type { Config, Rule } from '../../../model/config.js';
import { imageSections } from '../images/used-images.js';

/** The registry of NVIDIA's releases. Images of others are where their projects publish them. */
const NVIDIA_REGISTRY = 'nvcr.io';

/** Nodes behind a private registry may not reach the one that an add-on or the companion names. */
export const registryOfGlobal: Rule = {
  code: 'WEFT0306',
  severity: 'warning',
  title: 'an image is of another registry than `global.repository`',
  needsAllDocuments: true,
  *check(config) {
    const { registry } = globalOf(config);
    if (registry === NVIDIA_REGISTRY) return;
    for (const { key, origin, images } of imageSections(config)) {
      const others = named(images).filter((image) => registryOf(image) !== registry);
      if (others.length === 0) continue;
      yield {
        origin,
        at: 'key',
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
    for (const { key, section, origin, images } of imageSections(config)) {
      const own = namesOf(valueAt(section, ['imagePullSecrets']));
      const missing = pullSecrets.filter((name) => !own.includes(name));
      if (missing.length === 0 || !named(images).some((image) => registryOf(image) === registry)) continue;
      yield {
        origin,
        at: 'key',
        message: `\`spec.${key}\` lacks the pull secrets of \`global\`: ${listedNames(missing, 3)}`,
        label: `its images are of \`${registry}\`, too`,
        help: `add them to \`spec.${key}.imagePullSecrets\``,
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

function named(images: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.values(images).filter((image) => image !== undefined);
}

/** Names of Secrets, which are texts in some sections and references in others. */
function namesOf(secrets: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(secrets) ? secrets : [];
  return all.map((one) => (isObject(one) ? one['name'] : one)).filter((name) => typeof name === 'string');
}

import { allComponents } from '../../../components/all.js';
import { registryOf } from '../../../../shared/kubernetes/image-reference.js';
import { isObject, valueAt } from '../../../../shared/lib/json.js';
import { groupBy } from '../../../../shared/lib/group-by.js';
import { listed, listedNames } from '../../../../shared/lib/listed.js';
import { within, type Config, type Origin, type Rule, type Violation } from '../../../model/config.js';
import { formatPath } from '../../../model/issues.js';
import { imageSections, usedImages, type ImageSection, type UsedImage } from '../images/used-images.js';

/** The registry of NVIDIA's releases. Images of others are where their projects publish them. */
const NVIDIA_REGISTRY = 'nvcr.io';

const SHOWN = 5;

/** Nodes behind a private registry may not reach the one that a section, an add-on or the companion names. */
export const registryOfGlobal: Rule = {
  code: 'WEFT0306',
  severity: 'warning',
  title: 'an image is of another registry than `global.repository`',
  needsAllDocuments: true,
  *check(config) {
    const { registry, origin: global } = globalOf(config);
    if (registry === NVIDIA_REGISTRY) return;
    if (global) yield* ofPolicies(config, registry, global);
    for (const { key, origin, images } of [...imageSections(config), ...initContainers(config)]) {
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

/** The driver's init container, where the Cluster names its image. That of the release is of `global.repository`. */
function initContainers({ cluster, instances }: Config): readonly Pick<ImageSection, 'key' | 'origin' | 'images'>[] {
  const image = cluster.spec.driver.initContainerImage ?? '';
  const hasDriver = allComponents.some(({ id, providesDriver }) => providesDriver && instances.has(id));
  if (image === '' || !hasDriver) return [];
  const path = ['driver', 'initContainerImage'];
  return [{ key: path.join('.'), origin: within(cluster.origin, 'spec', ...path), images: { image } }];
}

/** A section keeps the repository that it names; `global.repository` is for those that name none. */
function* ofPolicies(config: Config, registry: string, origin: Origin): Iterable<Violation> {
  const others = pulledImages(config).filter(({ image }) => registryOf(image.repository) !== registry);
  const [first] = others;
  if (first === undefined) return;
  const names = (images: readonly UsedImage[]) => [...new Set(images.map((used) => sectionName(used.origin, origin)))];
  const places = [...groupBy(others, ({ image }) => registryOf(image.repository))].map(
    ([other, images]) => `${listed(names(images), SHOWN)} at \`${other}\``,
  );
  yield {
    origin,
    message: `\`spec.global.repository\` does not move sections that name another registry: ${places.join(', and ')}`,
    help: `remove \`repository\` from these sections, or name \`${registry}\` in them; where nodes reach the other registry, too, write \`# weft-ignore WEFT0306: reason\` above it`,
    related: { origin: within(first.origin, 'repository'), message: 'this one stays' },
  };
}

/** Images of policies that nodes pull; without a version the operator leaves out the one that it hands on. */
function pulledImages(config: Config): readonly UsedImage[] {
  return [...usedImages(config)].filter(
    ({ image: { repository, version }, key }) => repository !== '' && !(key.isHandedOn && version === ''),
  );
}

/** With the policy where it is another one than that of `global`. */
function sectionName({ document, path }: Origin, global: Origin): string {
  const section = `\`${formatPath(path)}\``;
  const name = valueAt(document.value, ['metadata', 'name']);
  return document === global.document || typeof name !== 'string' ? section : `${section} of \`${name}\``;
}

/** `global.imagePullSecrets` is for sections of the NicClusterPolicy, and for images that the release fills. */
export const pullSecretsOfGlobal: Rule = {
  code: 'WEFT0307',
  severity: 'warning',
  title: 'a section lacks the pull secrets of `global`',
  needsAllDocuments: true,
  *check(config) {
    const { registry, pullSecrets } = globalOf(config);
    for (const { image, origin } of pulledImages(config)) {
      if (pullSecrets.length === 0 || image.imagePullSecrets.length > 0 || registryOf(image.repository) !== registry)
        continue;
      const name = valueAt(origin.document.value, ['metadata', 'name']);
      yield {
        origin,
        at: 'key',
        message: `\`${formatPath(origin.path)}\` of \`${String(name)}\` lacks the pull secrets of \`global\`: ${listedNames(pullSecrets, 3)}`,
        label: `its image is of \`${registry}\`, too`,
        help: `add them to \`${formatPath([...origin.path, 'imagePullSecrets'])}\`, or remove \`repository\` so that the release fills both`,
      };
    }
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

interface Global {
  /** The registry of `global.repository`, by default NVIDIA's. */
  readonly registry: string;
  /** The place of `global.repository`, where it is written. */
  readonly origin?: Origin;
  readonly pullSecrets: readonly string[];
}

function globalOf({ policies }: Config): Global {
  const globals = policies.flatMap(({ origin: { document } }) => {
    const path = ['spec', 'global'];
    const global = valueAt(document.value, path);
    return isObject(global) ? [{ global, origin: { document, path: [...path, 'repository'] } }] : [];
  });
  const pullSecrets = globals.flatMap(({ global }) => namesOf(global['imagePullSecrets']));
  for (const { global, origin } of globals) {
    const { repository } = global;
    if (typeof repository !== 'string' || repository === '') continue;
    return { registry: registryOf(repository), origin, pullSecrets };
  }
  return { registry: NVIDIA_REGISTRY, pullSecrets };
}

function named(images: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.values(images).filter((image) => image !== undefined);
}

/** Names of Secrets, which are texts in some sections and references in others. */
function namesOf(secrets: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(secrets) ? secrets : [];
  return all.map((one) => (isObject(one) ? one['name'] : one)).filter((name) => typeof name === 'string');
}

import type { PathStep } from '../../../../shared/diagnostics/diagnostic.js';
import { suggest } from '../../../../shared/diagnostics/suggest.js';
import { isObject, listAt, textAt } from '../../../../shared/lib/json.js';
import { within, type Config, type Origin, type PassthroughObject, type Rule } from '../../../model/config.js';

/** The Secrets that objects of these kinds stand for, by their names in the object. */
const MAKERS: Readonly<Record<string, (object: unknown) => readonly (string | undefined)[]>> = {
  SealedSecret: (object) => [textAt(object, 'metadata', 'name')],
  ExternalSecret: (object) => [textAt(object, 'spec', 'target', 'name') ?? textAt(object, 'metadata', 'name')],
  VaultStaticSecret: (object) => [textAt(object, 'spec', 'destination', 'name')],
  SopsSecret: (object) => listAt(object, 'spec', 'secretTemplates').map((template) => textAt(template, 'name')),
};

interface MadeSecret {
  readonly name: string;
  /** Absent: where the object is applied. */
  readonly namespace: string | undefined;
  readonly maker: PassthroughObject;
}

function madeBy(maker: PassthroughObject): readonly MadeSecret[] {
  const { object } = maker;
  const namespace = textAt(object, 'metadata', 'namespace');
  const names = MAKERS[String(object['kind'])]?.(object) ?? [];
  return names.flatMap((name) => (name === undefined ? [] : [{ name, namespace, maker }]));
}

interface NamedSecret {
  readonly name: string;
  readonly origin: Origin;
}

/** The Secrets that sections name for images and for UFM. */
function* namedIn(value: unknown, origin: Origin, key?: PathStep): Iterable<NamedSecret> {
  if (typeof value === 'string' && key === 'ufmSecret') yield { name: value, origin };
  if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) {
      const at = within(origin, index);
      const isSecret = key === 'imagePullSecrets';
      if (isSecret && typeof inner === 'string') yield { name: inner, origin: at };
      const name = isSecret ? textAt(inner, 'name') : undefined;
      if (name !== undefined) yield { name, origin: within(at, 'name') };
      else yield* namedIn(inner, at);
    }
  } else if (isObject(value)) {
    for (const [field, inner] of Object.entries(value)) yield* namedIn(inner, within(origin, field), field);
  }
}

/**
 * Secrets themselves are never in the input, so what is not there says nothing. But where the input has objects that become Secrets, a name that is
 * almost one of theirs is most likely misspelt, and one of another namespace is out of the reach of pods.
 */
export const neededSecretKnown: Rule = {
  code: 'WEFT0269',
  severity: 'warning',
  title: 'an object that pods need is not in the input',
  needsAllDocuments: true,
  *check(config: Config) {
    const { namespace } = config.cluster;
    const made = config.passthrough.flatMap(madeBy);
    if (made.length === 0) return;
    const isHere = (one: MadeSecret) => (one.namespace ?? namespace) === namespace;
    const here = made.filter(isHere).map(({ name }) => name);
    for (const { document } of [config.cluster.origin, ...config.policies.map(({ origin }) => origin)]) {
      const spec = isObject(document.value) ? document.value['spec'] : undefined;
      for (const { name, origin } of namedIn(spec, { document, path: ['spec'] })) {
        if (here.includes(name)) continue;
        const meant = made.find((one) => one.name === name) ?? made.find((one) => one.name === suggest(name, here));
        if (meant === undefined) continue;
        const { kind } = meant.maker.object;
        yield {
          origin,
          message: `no document makes the Secret \`${name}\` in namespace \`${namespace}\``,
          help: isHere(meant)
            ? `did you mean \`${meant.name}\`? If something else makes \`${name}\`, write \`# weft-ignore WEFT0269: reason\` above this line`
            : `${String(kind)} \`${name}\` makes it in namespace \`${meant.namespace ?? ''}\`: pods read Secrets of their own namespace only`,
          related: { origin: within(meant.maker.origin, 'metadata', 'name'), message: `the ${String(kind)} is here` },
        };
      }
    }
  },
};

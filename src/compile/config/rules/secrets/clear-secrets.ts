import { isObject } from '../../../../shared/lib/json.js';
import { isSecretVariable, secretIn } from '../../../../shared/kubernetes/secret-shapes.js';
import type { PathStep } from '../../../../shared/diagnostics/diagnostic.js';
import type { Config, Origin, Rule } from '../../../model/config.js';
import { formatPath } from '../../../model/issues.js';

/** The input and the output are committed, and output is applied with rights that do not protect it as they protect Secrets. */
export const clearSecrets: Rule = {
  code: 'WEFT0360',
  severity: 'warning',
  title: 'a password, a token or a key is in clear text',
  *check(config) {
    for (const document of documentsOf(config)) {
      const isConfigMap = isObject(document.value) && document.value['kind'] === 'ConfigMap';
      for (const { path, what, isVariable } of secretsIn(document.value, [], isConfigMap)) {
        yield {
          origin: { document, path },
          isSecret: true,
          message: `\`${formatPath(path)}\` has ${what} in clear text, which goes to git`,
          help: `${isVariable ? FROM_SECRET : ELSEWHERE}; where it is no secret, write \`# weft-ignore WEFT0360: reason\` above it`,
        };
      }
    }
  },
};

const FROM_SECRET = 'take it from a Secret: `valueFrom: {secretKeyRef: {name: …, key: …}}` instead of `value`';
const ELSEWHERE =
  'keep it in a Secret that is not in git, or in a SealedSecret or an ExternalSecret, and refer to that';

function documentsOf({
  cluster,
  policies,
  networks,
  passthrough,
  configMaps,
}: Config): ReadonlySet<Origin['document']> {
  const known = [...configMaps.values()].flatMap(({ document }) => (document ? [document] : []));
  return new Set([cluster, ...policies, ...networks, ...passthrough, ...known].map(({ origin }) => origin.document));
}

interface Found {
  readonly path: readonly PathStep[];
  readonly what: string;
  /** Whether it is the value of a variable of a container. */
  readonly isVariable: boolean;
}

/** @param isConfigMap whether the keys of `data` may be names of secrets */
function* secretsIn(value: unknown, path: readonly PathStep[], isConfigMap: boolean): Iterable<Found> {
  if (typeof value === 'string') {
    const what = secretIn(value);
    if (what !== undefined) yield { path, what, isVariable: false };
    return;
  }
  if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) yield* secretsIn(inner, [...path, index], false);
    return;
  }
  if (!isObject(value)) return;
  const variable = path.at(-2) === 'env' && typeof value['name'] === 'string' ? value['name'] : undefined;
  for (const [key, inner] of Object.entries(value)) {
    const here = [...path, key];
    const name =
      variable !== undefined && key === 'value' ? variable : isConfigMap && path[0] === 'data' ? key : undefined;
    if (name !== undefined && typeof inner === 'string') {
      const what = secretIn(inner) ?? (isSecretVariable(name, inner) ? `the value of \`${name}\`` : undefined);
      if (what !== undefined) yield { path: here, what, isVariable: variable !== undefined };
    } else yield* secretsIn(inner, here, isConfigMap && path.length === 0);
  }
}

import { didYouMean } from '../../../../shared/diagnostics/suggest.js';
import { within, type KnownConfigMap, type Violation } from '../../../model/config.js';

/** What to do about a key that a ConfigMap lacks, and where the ConfigMap is; `undefined` if it has the key, or its keys are not known. */
export function missingKey(
  key: string,
  { keys, document }: KnownConfigMap,
): Pick<Violation, 'help' | 'related'> | undefined {
  const all = [...keys, ...Object.keys(document?.value.binaryData ?? {})];
  if (all.includes(key) || (!document && keys.length === 0)) return undefined;
  return {
    help: didYouMean(key, all) ?? `give the ConfigMap the key \`${key}\``,
    ...(document && {
      related: { origin: within(document.origin, 'metadata', 'name'), message: 'the ConfigMap is here' },
    }),
  };
}

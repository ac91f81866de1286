import { CONFIG_HASH_ANNOTATION } from '../../compile/components/pod-parts.js';
import { COMPANION_ENV } from '../../shared/contract/companion-env.js';
import { INSTALL_DIGEST_ANNOTATION, POLICY_HASH_KEY } from '../../shared/contract/labels.js';

const ENDS = [
  ...[INSTALL_DIGEST_ANNOTATION, CONFIG_HASH_ANNOTATION].map((key) => `annotations[${JSON.stringify(key)}]`),
  `env[${COMPANION_ENV.policyHash}].value`,
  `data.${POLICY_HASH_KEY}`,
];

/** Whether a field is derived from others, such as a hash, and is therefore not shown. */
export function isDerivedField(path: string): boolean {
  return ENDS.some((end) => path.endsWith(end));
}

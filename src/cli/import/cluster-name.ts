import { basename } from 'node:path';
import { withoutTrailing } from '../../shared/lib/text.js';

/** A name for a cluster: lower-case letters, digits and `-`. */
export function clusterName(text: string): string {
  const words = basename(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 63);
  const name = withoutTrailing(words, '-');
  return name === '' ? 'cluster' : name;
}

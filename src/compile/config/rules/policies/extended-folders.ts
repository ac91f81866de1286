import { within, type Rule } from '../../../model/config.js';

/** `weft synth` merges the folders before it validates a document, so only a program has them here. */
export const extendedFolders: Rule = {
  code: 'WEFT0111',
  severity: 'error',
  title: 'a program gives folders to extend',
  *check({ cluster }) {
    if (cluster.spec.extends.length === 0) return;
    yield {
      origin: within(cluster.origin, 'spec', 'extends'),
      at: 'key',
      message: '`extends` has no effect in a program that uses the library, which reads no files',
      help: 'import what clusters share, or render these documents with `weft synth`',
    };
  },
};

import { packageFile } from '../package-file.js';
import type { CiChoice } from './options.js';
import type { InitFile } from './repository-files.js';

/** Where the examples go. What needs the kubeconfigs of the clusters is left to the guide: each needs an environment of its own. */
const EXAMPLES: Readonly<Record<CiChoice, Readonly<Record<string, string>>>> = {
  github: {
    '.github/workflows/weft.yml': 'examples/ci/github/weft.yml',
    '.github/workflows/weft-review.yml': 'examples/ci/github/weft-review.yml',
  },
  gitlab: { '.gitlab-ci.yml': 'examples/ci/gitlab/weft.gitlab-ci.yml' },
  none: {},
};

/**
 * The pipelines of a host.
 *
 * @throws Error where the command was delivered without the examples
 */
export function ciFiles(host: CiChoice): readonly InitFile[] {
  return Object.entries(EXAMPLES[host]).map(([path, example]) => {
    const text = packageFile(example);
    if (text === undefined) throw new Error(`${example} is not delivered with this command`);
    return { path, text, needs: 'weft' };
  });
}

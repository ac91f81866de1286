import { FLEET_FOLDER } from '../../../gitops/argocd/application-set.js';
import { kustomizationName } from '../../../gitops/object-names.js';
import { listed } from '../../../../shared/lib/listed.js';
import { within, type Rule } from '../../../model/config.js';

/** Two controllers would overwrite each other's changes. */
export const oneController: Rule = {
  code: 'WEFT0450',
  severity: 'error',
  title: 'two controllers are to apply the output',
  *check({ cluster }) {
    const given = (['argocd', 'flux', 'helm'] as const).filter((key) => cluster.spec.gitops[key] !== undefined);
    const [, second] = given;
    if (second === undefined) return;
    const names = given.map((key) => `\`${key}\``);
    yield {
      origin: within(cluster.origin, 'spec', 'gitops', second),
      at: 'key',
      message: `\`spec.gitops\` has ${listed(names, names.length)}, and one of them applies the output`,
      help: 'keep the one that applies the output of this cluster',
    };
  },
};

/** The name must be a valid label value, because Flux labels each object with the name of its Kustomization. */
const LABEL_CHARACTERS_MAX = 63;

export const kustomizationNames: Rule = {
  code: 'WEFT0452',
  severity: 'error',
  title: 'a Kustomization would have too long a name',
  *check({ cluster }) {
    const { flux } = cluster.spec.gitops;
    if (flux === undefined) return;
    const name = kustomizationName(flux, cluster.name, 'components');
    if (name.length <= LABEL_CHARACTERS_MAX) return;
    yield {
      origin: within(cluster.origin, 'metadata', 'name'),
      message: `the Kustomization \`${name}\` would have a name of ${name.length} characters`,
      help: `Flux writes it into a label, which has at most ${LABEL_CHARACTERS_MAX}: give the cluster a shorter name, or \`namePrefix\``,
    };
  },
};

/** A git generator only has the name of the folder of a cluster. */
export const generatedDestination: Rule = {
  code: 'WEFT0453',
  severity: 'error',
  title: 'a destination is given where a folder names it',
  *check({ cluster }) {
    const { applicationSet, destination } = cluster.spec.gitops.argocd ?? {};
    if (applicationSet?.generator !== 'git' || destination === undefined) return;
    yield {
      origin: within(cluster.origin, 'spec', 'gitops', 'argocd', 'destination'),
      at: 'key',
      message: 'with `generator: git` the destination is the cluster of Argo CD that has the name of the folder',
      help: 'write `generator: list`, which names the destination of each cluster, or remove `destination`',
    };
  },
};

/** A cluster must not have the name of the folder of the fleet. */
export const reservedClusterName: Rule = {
  code: 'WEFT0454',
  severity: 'error',
  title: 'a cluster has the name of the folder of the fleet',
  *check({ cluster }) {
    if (cluster.name !== FLEET_FOLDER || cluster.spec.gitops.argocd?.applicationSet === undefined) return;
    yield {
      origin: within(cluster.origin, 'metadata', 'name'),
      message: `a cluster named \`${FLEET_FOLDER}\` would have the folder of the ApplicationSets`,
      help: 'give the cluster another name, or remove `applicationSet`',
    };
  },
};

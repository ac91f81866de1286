import { didYouMean } from '../../../../shared/diagnostics/suggest.js';
import { addedIn, goneKind, isBuiltInGroup, kindsOfGroup } from '../../../../shared/kubernetes/api/api-versions.js';
import { kubernetesVersion } from '../../../../shared/kubernetes/api/field-types.js';
import { apiGroup } from '../../../../shared/kubernetes/names.js';
import { compareVersions } from '../../../../shared/lib/version.js';
import { within, type PassthroughObject, type Rule } from '../../../model/config.js';

const namesOf = ({ object }: PassthroughObject) => ({
  apiVersion: String(object['apiVersion']),
  kind: String(object['kind']),
});

/** Whether the cluster may be older than a release; true if the Cluster has no version. */
const isOlder = (version: string | undefined, release: string) =>
  version !== undefined && compareVersions(version.replace(/^v/, ''), release) < 0;

/** The API server refuses objects of kinds that its release removed or does not have yet. */
export const kindServed: Rule = {
  code: 'WEFT0484',
  severity: 'error',
  title: 'Kubernetes does not have a version of its API any more, or not yet',
  *check({ cluster, passthrough }) {
    const version = cluster.spec.kubernetesVersion;
    for (const passed of passthrough) {
      const { apiVersion, kind } = namesOf(passed);
      const gone = goneKind(apiVersion, kind);
      const added = addedIn(apiVersion, kind);
      const origin = within(passed.origin, 'apiVersion');
      if (gone && !isOlder(version, gone.since)) {
        const help = gone.now === undefined ? 'remove it: nothing took its place' : `write \`apiVersion: ${gone.now}\``;
        yield { origin, message: `Kubernetes has no ${kind} of \`${apiVersion}\` since ${gone.since}`, help };
      } else if (added !== undefined && isOlder(version, added)) {
        yield {
          origin,
          message: `Kubernetes has ${kind} of \`${apiVersion}\` since ${added}, and the cluster is ${version ?? ''}`,
          help: 'leave it out until the cluster is newer',
        };
      }
    }
  },
};

/** All kinds of the API groups of Kubernetes itself are known. */
export const builtInKindKnown: Rule = {
  code: 'WEFT0485',
  severity: 'error',
  title: 'Kubernetes has no such kind',
  *check({ passthrough }) {
    for (const passed of passthrough) {
      const { apiVersion, kind } = namesOf(passed);
      const group = apiGroup(apiVersion);
      if (!isBuiltInGroup(group) || goneKind(apiVersion, kind)) continue;
      const known = kindsOfGroup(group);
      if (known.includes(`${apiVersion} ${kind}`)) continue;
      const versions = known.flatMap((name) => (name.endsWith(` ${kind}`) ? [name.split(' ')[0] ?? ''] : []));
      const kinds = known.flatMap((name) => (name.startsWith(`${apiVersion} `) ? [name.split(' ')[1] ?? ''] : []));
      yield {
        origin: within(passed.origin, versions.length > 0 ? 'apiVersion' : 'kind'),
        message: `Kubernetes ${kubernetesVersion} has no ${kind} of \`${apiVersion}\``,
        help:
          versions.length > 0
            ? `write ${versions.map((one) => `\`apiVersion: ${one}\``).join(' or ')}`
            : (didYouMean(kind, kinds) ?? 'the API group is of Kubernetes itself, and all of its kinds are known'),
      };
    }
  },
};

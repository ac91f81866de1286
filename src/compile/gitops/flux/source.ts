import { withoutEmpty, type JsonObject } from '../../../shared/lib/json.js';
import type { Flux } from '../../model/gitops.js';
import { repositoryPath } from '../object-names.js';
import type { ApiObject } from '../../render/layout.js';
import { BASES_FOLDER } from '../../render/tree/base-path.js';

/**
 * The source of the Kustomizations; none if it already exists in the cluster. Its `ignore` is read after every `.sourceignore` of the repository
 * (source-controller v1.9, `internal/controller/gitrepository_controller.go`, `ocirepository_controller.go`), and the last pattern that matches
 * counts: such a file takes nothing out of the folder of the cluster and out of the bases. With `**`, because a folder that is taken in does not take in what is below
 * (go-git, `plumbing/format/gitignore/pattern.go`).
 */
export function fluxSource({ namespace, source, path }: Flux, cluster: string): readonly ApiObject[] {
  const { kind, name, url, branch, tag, semver, digest, secretName, interval } = source;
  if (url === undefined) return [];
  const ref = withoutEmpty({ branch, tag, semver, digest }) as JsonObject;
  const isOpen = Object.keys(ref).length === 0;
  return [
    {
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind,
      metadata: { name, namespace },
      spec: {
        interval,
        url,
        ref: isOpen ? (kind === 'GitRepository' ? { branch: 'main' } : { tag: 'latest' }) : ref,
        ignore: [cluster, BASES_FOLDER].map((folder) => `!/${repositoryPath(path, folder)}/**\n`).join(''),
        ...(secretName !== undefined && { secretRef: { name: secretName } }),
      },
    },
  ];
}

import * as z from 'zod';
import { checkedText, labelKey, labelValue } from '../../shared/kubernetes/fields.js';
import { isDnsLabel, isDnsSubdomain } from '../../shared/kubernetes/names.js';
import { folderProblem, repositoryProblem, revisionProblem } from '../../shared/lib/git-names.js';
import { strictObject } from '../../shared/lib/strict-object.js';

const revision = checkedText(revisionProblem);
const folder = checkedText(folderProblem);
const subdomain = z.string().refine(isDnsSubdomain, { error: 'must be lower-case letters, digits, `-` and `.`' });
const namespace = z.string().refine(isDnsLabel, { error: 'must be lower-case letters, digits and `-`' });
/** Allowed prefixes of an object's name. */
const namePrefix = z
  .string()
  .regex(/^(?:[a-z0-9][a-z0-9-]{0,29})?$/, { error: 'must be at most 30 lower-case letters, digits and `-`' });

/** A duration of Flux: its CRDs, `spec.interval`. */
const duration = z
  .string()
  .regex(/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/, { error: 'must be a duration such as `10m` or `1h30m`' });

const destination = strictObject(() => ({
  name: z
    .string()
    .regex(/^\S+$/, { error: 'must be the name of a cluster of Argo CD, without white space' })
    .optional()
    .describe('Name of the cluster in Argo CD.'),
  server: checkedText((text) => {
    const isServer = URL.canParse(text) && /^https?:\/\/[^\s/]+$/.test(text);
    return isServer ? undefined : 'must be the address of an API server such as `https://kubernetes.default.svc`';
  })
    .optional()
    .describe('Address of its API server, in place of the name.'),
}))
  .refine(({ name, server }) => (name === undefined) !== (server === undefined), {
    error: 'must have either `name` or `server`',
  })
  .describe('The cluster as Argo CD knows it. Default: the one that has the name of this cluster.');

const argocd = strictObject(() => ({
  repoURL: checkedText((text) =>
    repositoryProblem(text, { schemes: ['https', 'ssh', 'http', 'oci'], hasScpForm: true }),
  ).describe('Address of the git repository, or with `oci://` of the artifact, that holds the output.'),
  targetRevision: revision
    .default('HEAD')
    .describe('Branch, tag or commit; for an artifact its tag, which is required.'),
  path: folder
    .default('dist')
    .describe('Folder of the repository in which each cluster has its folder. The root is `.`.'),
  namespace: namespace.default('argocd').describe('Namespace of Argo CD.'),
  namePrefix: namePrefix
    .default('network-')
    .describe('What stands before the cluster’s name in that of its Application.'),
  project: subdomain.default('default').describe('Project of Argo CD.'),
  appProject: z.boolean().default(false).describe('Whether to render the AppProject of this name.'),
  destination: destination.optional(),
  prune: z
    .boolean()
    .default(true)
    .describe(
      'Whether Argo CD deletes objects that the output no longer has. Those with `Prune=false` stay in any case.',
    ),
  selfHeal: z
    .boolean()
    .default(true)
    .describe(
      'Whether Argo CD applies an object again that was changed or deleted in the cluster, as the companion deletes its failed Job.',
    ),
  health: z
    .enum(['configMap', 'values', 'none'])
    .default('configMap')
    .describe(
      'Form of the health check of DaemonSets: `configMap` renders `argocd-cm`, `values` a file of values for Argo CD’s own chart, `none` neither.',
    ),
  applicationSet: strictObject(() => ({
    name: subdomain.describe('Name of the ApplicationSet. Clusters with the same name are in one.'),
    generator: z
      .enum(['git', 'list'])
      .default('git')
      .describe('`git` finds the folders of the clusters, `list` names the clusters.'),
    waves: strictObject(() => ({
      label: labelKey.describe(
        'Label of Cluster documents, in `metadata.labels`, that says in which wave a cluster is.',
      ),
      order: z
        .array(labelValue.describe('A value of the label.'))
        .min(1)
        .refine((values) => new Set(values).size === values.length, { error: 'must have each value once' })
        .describe('Its values, the first wave first.'),
    }))
      .optional()
      .describe('Clusters are synced in this order, each wave after the one before is healthy. Default: all at once.'),
  }))
    .refine(({ generator, waves }) => waves === undefined || generator === 'list', {
      error: ': only `generator: list` knows the labels of clusters',
      path: ['waves'],
    })
    .optional()
    .describe('One ApplicationSet for several clusters. Default: an Application for each.'),
}))
  .superRefine(({ repoURL, targetRevision, applicationSet }, context) => {
    if (!repoURL.startsWith('oci://')) return;
    const refuse = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', message, path });
    if (targetRevision === 'HEAD') refuse('must be a tag: an artifact has no `HEAD`', 'targetRevision');
    if (applicationSet?.generator === 'git')
      refuse('must be `list`: the other one finds folders of git repositories', 'applicationSet', 'generator');
  })
  .describe('Argo CD.');

const REVISIONS = ['branch', 'tag', 'semver', 'digest'] as const;

const source = strictObject(() => ({
  kind: z.enum(['GitRepository', 'OCIRepository']).default('GitRepository').describe('Kind of the source.'),
  name: subdomain.default('flux-system').describe('Name of the source.'),
  url: z.string().optional().describe('Address of the source. Default: the source is in the cluster already.'),
  branch: revision.optional().describe('Branch of a GitRepository. Default: `main`, where there is no tag.'),
  tag: revision.optional().describe('Tag.'),
  semver: z
    .string()
    .regex(/^[\w.*<>=~^|, +-]+$/, { error: 'must be a range of versions such as `1.x`' })
    .optional()
    .describe('Range of versions, of which the newest tag is taken.'),
  digest: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/, { error: 'must be `sha256:` and 64 digits' })
    .optional()
    .describe('Digest of an OCIRepository.'),
  secretName: subdomain.optional().describe('Secret with the login.'),
  interval: duration.default('1m').describe('How often it is looked for something new.'),
}))
  .superRefine(({ kind, url, branch, digest, ...others }, context) => {
    const given = REVISIONS.filter((key) => ({ branch, digest, ...others })[key] !== undefined);
    const refuse = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', message, path });
    if (url === undefined) {
      for (const key of [...given, ...(others.secretName === undefined ? [] : ['secretName'])])
        refuse('has no effect without `url`: the source is in the cluster already', key);
      return;
    }
    const schemes = kind === 'OCIRepository' ? ['oci'] : ['https', 'ssh', 'http'];
    const problem = repositoryProblem(url, { schemes, hasScpForm: false });
    if (problem !== undefined) refuse(`: ${problem}`, 'url');
    if (given.length > 1) refuse(`: there is \`${given[0] ?? ''}\` already, and one of them is enough`, given[1] ?? '');
    if (kind === 'OCIRepository' && branch !== undefined) refuse('is for a GitRepository', 'branch');
    if (kind === 'GitRepository' && digest !== undefined) refuse('is for an OCIRepository', 'digest');
  })
  .describe('Where Flux gets the output from.');

const flux = strictObject(() => ({
  namespace: namespace.default('flux-system').describe('Namespace of the Kustomizations and of the source.'),
  source: source.prefault({}),
  path: folder.default('dist').describe('Folder of the source in which each cluster has its folder. The root is `.`.'),
  namePrefix: namePrefix
    .default('network-')
    .describe('What stands before the cluster’s name in those of its Kustomizations.'),
  interval: duration.default('10m').describe('How often the cluster is compared with the source.'),
  prune: z
    .boolean()
    .default(true)
    .describe(
      'Whether Flux deletes objects that the output no longer has. Those with `prune: disabled` stay in any case.',
    ),
  serviceAccountName: subdomain.optional().describe('ServiceAccount that applies. Default: that of the controller.'),
})).describe('Flux.');

const helm = strictObject(() => ({
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/, {
      error: 'must be a version such as `"1.0.0"`',
    })
    .default('0.1.0')
    .describe('Version of the charts.'),
})).describe('Helm.');

/** How the output is applied to the cluster. */
export const gitops = strictObject(() => ({
  argocd: argocd.optional(),
  flux: flux.optional(),
  helm: helm.optional(),
})).describe('What applies the output: `argocd`, `flux` or `helm`. Default: plain folders for any of them.');

/** The section `spec.gitops` with all defaults. */
export type GitOps = z.output<typeof gitops>;
export type ArgoCd = NonNullable<GitOps['argocd']>;
export type Flux = NonNullable<GitOps['flux']>;
export type HelmCharts = NonNullable<GitOps['helm']>;

import { expect, it } from '@jest/globals';
import { clusterText, compile, problemLines, UBUNTU_POOL } from '../../../test/golden/compile.js';

const problems = (gitops: string) =>
  problemLines(
    compile({ 'cluster.yaml': clusterText(`  release: v26.4\n  nodePools:\n${UBUNTU_POOL}  gitops:\n    ${gitops}\n`) })
      .diagnostics,
  ).filter((line) => !line.includes('WEFT0315'));

const URL = 'repoURL: https://git.example.com/a.git';

it.each([
  `argocd: {${URL}}`,
  `argocd: {${URL}, targetRevision: release/1, path: infra/dist, project: network, destination: {server: "https://10.0.0.1:6443"}}`,
  'argocd: {repoURL: "oci://registry.example.com/network", targetRevision: main, applicationSet: {name: network, generator: list}}',
  'flux: {}',
  'flux: {source: {kind: OCIRepository, name: network, url: "oci://registry.example.com/network", semver: 1.x}}',
  'flux: {source: {name: network, url: "ssh://git@git.example.com/a", branch: main, secretName: login}, interval: 1h30m}',
  'helm: {version: 1.2.0}',
])('%s', (text) => expect(problems(text)).toEqual([]));

it.each([
  ['argocd: {}', ['10:5 WEFT0141 `spec.gitops.argocd.repoURL` is missing']],
  [
    'argocd: {repoURL: git.example.com/a}',
    [
      '10:23 WEFT0143 `spec.gitops.argocd.repoURL`: must be an address that begins with `https://`, `ssh://`, `http://`, `oci://`',
    ],
  ],
  [
    'argocd: {repoURL: "oci://registry.example.com/network", applicationSet: {name: network}}',
    [
      '10:5 WEFT0141 `spec.gitops.argocd.targetRevision` must be a tag: an artifact has no `HEAD`',
      '10:61 WEFT0141 `spec.gitops.argocd.applicationSet.generator` must be `list`: the other one finds folders of git repositories',
    ],
  ],
  [
    `argocd: {${URL}, targetRevision: a b, path: /dist, project: Network}`,
    [
      '10:70 WEFT0143 `spec.gitops.argocd.targetRevision`: git allows no " " in the name of a branch or tag',
      '10:81 WEFT0143 `spec.gitops.argocd.path`: must be relative to the root of the repository',
      '10:97 WEFT0143 `spec.gitops.argocd.project` must be lower-case letters, digits, `-` and `.`',
    ],
  ],
  [
    `argocd: {${URL}, destination: {name: a, server: "https://10.0.0.1"}}`,
    ['10:67 WEFT0143 `spec.gitops.argocd.destination` must have either `name` or `server`'],
  ],
  [
    `argocd: {${URL}, destination: {server: 10.0.0.1}}`,
    [
      '10:76 WEFT0143 `spec.gitops.argocd.destination.server`: must be the address of an API server such as `https://kubernetes.default.svc`',
    ],
  ],
  [
    'flux: {source: {branch: main}}',
    [
      '10:29 WEFT0143 `spec.gitops.flux.source.branch` has no effect without `url`: the source is in the cluster already',
    ],
  ],
  [
    'flux: {source: {url: "git@git.example.com:a/b"}}',
    ['10:26 WEFT0143 `spec.gitops.flux.source.url`: write `ssh://git@git.example.com/a/b`'],
  ],
  [
    'flux: {source: {url: "https://git.example.com/a", branch: main, tag: v1}}',
    ['10:74 WEFT0143 `spec.gitops.flux.source.tag`: there is `branch` already, and one of them is enough'],
  ],
  [
    'flux: {source: {kind: OCIRepository, url: "oci://registry.example.com/a", branch: main}, interval: soon}',
    [
      '10:87 WEFT0143 `spec.gitops.flux.source.branch` is for a GitRepository',
      '10:104 WEFT0143 `spec.gitops.flux.interval` must be a duration such as `10m` or `1h30m`',
    ],
  ],
  ['helm: {version: "1"}', ['10:21 WEFT0143 `spec.gitops.helm.version` must be a version such as `"1.0.0"`']],
])('%s', (text, expected) => expect(problems(text)).toEqual(expected.map((line) => `cluster.yaml:${line}`)));

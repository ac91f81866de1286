import { imageReference } from '../../src/shared/kubernetes/image-reference.js';
import { DRIVER, type Release, releases, tagsIn, type Version } from '../../src/compile/releases/catalog.js';
import { definitionsWith } from '../../src/compile/crds/of-release.js';
import { changes, type ChangeName } from '../../src/compile/releases/changes.js';
import { GENERATED, table } from './markdown.js';
import type { Page } from './pages.js';

const code = (text: string) => `\`${text}\``;

const INTRODUCTION =
  'A release is a line of versions. Its name alone, `release: v26.7`, stands for its newest version whose driver is known; a version can be ' +
  'named, too: `release: v26.7.1`. [Digests](release-images.md) are those of NVIDIA’s pages.';

/** All versions with the tags of their images, the one that the name of the release stands for in bold. */
function versionsText(): string {
  const rows = releases.flatMap((release) => release.versions.map((version) => versionRow(version, release)));
  return ['## Versions', table(['release', 'version', 'driver', 'components', 'not known'], rows)].join('\n\n');
}

function versionRow(of: Version, release: Release): readonly string[] {
  const { version, missing } = of;
  const drivers = [...new Set(tagsIn(of, DRIVER, release).map((image) => image.version))];
  return [
    release.release,
    version === release.version ? `**${version}**` : version,
    drivers.length === 0 ? '?' : drivers.map(code).join(', '),
    code(`network-operator-${version}`),
    Object.keys(missing).map(code).join(', ') || '-',
  ];
}

const EFFECTS = { drain: 'nodes are drained', restart: 'its pods restart', none: '-' } as const;

/** What differs between releases, from the table that the generator asks. */
function changesText(): string {
  const rows = Object.values(changes).map(({ since, now, before, effect, commits }) => [
    since,
    now,
    before,
    EFFECTS[effect],
    commits.map((commit) => `\`${commit}\``).join(', '),
  ]);
  return [
    '## What differs between releases',
    'Weft renders each as the operator of the chosen release does.',
    table(['since', 'what', 'before', 'effect', 'commit'], rows),
  ].join('\n\n');
}

/** A section for each step from a release to the next one. */
function stepsText(): readonly string[] {
  return releases.slice(0, -1).flatMap((to, at) => {
    const from = releases[at + 1];
    return from === undefined ? [] : [stepText(from, to)];
  });
}

function stepText(from: Release, to: Release): string {
  const rows = (Object.keys(changes) as ChangeName[]).filter((name) => changes[name].since === to.release);
  const of = (...effects: readonly string[]) => rows.filter((name) => effects.includes(changes[name].effect));
  const list = (names: readonly ChangeName[]) =>
    names.map((name) => `- ${changes[name].now}; before: ${changes[name].before}`);
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`**${title}**`, lines.join('\n')];
  const drains = [
    `- the driver, unless a policy names its \`version\`: ${driverText(from)} before, ${driverText(to)} now`,
    ...of('drain').map(
      (name) => `- ${changes[name].now}; \`postponedChanges: [${name}]\` leaves it until a maintenance comes anyway`,
    ),
  ];
  return [
    `## From ${from.release} to ${to.release}`,
    ...part('To change before', beforeLines(from, to)),
    ...part('Nodes are drained for', drains),
    ...part('Pods restart for', [
      '- the images of components, unless a policy names their `version`',
      ...list(of('restart')),
    ]),
    ...part('No pod restarts for', [
      '- the init container of drivers: a driver pod has the new one when it is made anew for another reason',
      ...list(of('none')),
    ]),
    ...part(
      'Definitions (CRDs) that change',
      rows.flatMap(definitionsWith).map((name) => `- \`${name}\``),
    ),
    '`weft diff` says which of it a cluster has.',
  ].join('\n\n');
}

const driverText = ({ images }: Release) => (images[DRIVER] ? code(images[DRIVER].version) : 'not known');

function beforeLines(from: Release, to: Release): readonly string[] {
  const platforms = [
    ['Kubernetes', from.minimum.kubernetes.version, to.minimum.kubernetes.version],
    ['OpenShift', from.minimum.openshift.version, to.minimum.openshift.version],
  ] as const;
  const absent = Object.keys(from.images).filter((key) => !(key in to.images));
  return [
    ...platforms.flatMap(([name, old, next]) =>
      old === next ? [] : [`- ${name} ${next} or newer is needed; before: ${old}`],
    ),
    ...(absent.length === 0
      ? []
      : [`- name the images that the catalog does not have: ${absent.map(code).join(', ')}`]),
  ];
}

/** Facts of the catalog that were not found. */
function missingText(): string {
  const rows = releases.flatMap(({ release, missing, versions }) => {
    const ofVersions = versions.flatMap((one) =>
      Object.entries(one.missing).map((row) => [one.version, ...row] as const),
    );
    const own = Object.entries(missing).filter(([field]) => !versions.some((one) => field in one.missing));
    return [...own.map((row) => [release, ...row] as const), ...ofVersions];
  });
  const cells = rows.map(([name, field, reason]) => [name, code(field), reason]);
  return ['## What is not known of a release', table(['release', 'fact', 'why'], cells)].join('\n\n');
}

/** The page of the releases, from the catalog and the table that the generator asks. */
export function releasesPage(): Page {
  const parts = ['# Releases', GENERATED, INTRODUCTION, versionsText(), changesText(), ...stepsText(), missingText()];
  return { path: 'docs/reference/releases.md', text: `${parts.join('\n\n')}\n` };
}

/** The page of digests, for mirrors and for policies that name images by them. */
export function releaseImagesPage(): Page {
  const all = releases.flatMap(({ versions }) => versions).filter(({ digestSource }) => digestSource !== undefined);
  const parts = [
    '# Images of releases by digest',
    GENERATED,
    'Of the versions whose page of images was found. A driver has an image for each system, and some for single kernels. Several tags may be one image.',
    ...all.flatMap(imagesText),
  ];
  return { path: 'docs/reference/release-images.md', text: `${parts.join('\n\n')}\n` };
}

function imagesText({ version, digestSource, images, driverTags = [] }: Version): readonly string[] {
  const rows = Object.values(images).flatMap(({ digest, ...image }) =>
    digest === undefined ? [] : [[code(imageReference(image)), code(digest)]],
  );
  const ofDriver = driverTags.map(({ tags, digest }) => [tags.map(code).join(' '), code(digest)]);
  return [
    `## ${version}`,
    `From ${digestSource?.page ?? ''}`,
    table(['image', 'digest'], rows),
    ...(ofDriver.length === 0 ? [] : [table(['tag of the driver', 'digest'], ofDriver)]),
  ];
}

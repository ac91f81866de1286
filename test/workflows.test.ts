import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { siteConfig } from '../scripts/site/config.js';
import { companionImageSource, pinned, releaseNotes } from '../scripts/publish/texts.js';
import { brokenRules } from './ci-examples/rights.js';

// The repository's own workflows. GitHub's parser reads them in test/ci-examples.
const FOLDER = '.github/workflows';
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps?: readonly { readonly run?: string }[] }>>;
}

const commandsOf = (text: string) =>
  [
    ...text.matchAll(/(?:npm (?:ci|test|run)|npx (?:cdk8s|tsx|jest)|node (?:bin|node_modules)\/|git diff)[^|&>{\n]*/g),
  ].map(([command]) => command.trim());

it('the jobs of ci.yml run every command of .ci/run', () => {
  const { jobs } = parse(read('ci.yml')) as Workflow;
  const scripts = Object.values(jobs).flatMap(({ steps = [] }) => steps.map(({ run = '' }) => run));
  const run = new Set(commandsOf(scripts.join('\n')));
  const wanted = commandsOf(readFileSync('.ci/run', 'utf8').replace(/^(?:#|step ).*$/gm, ''));
  expect(wanted.length).toBeGreaterThan(12);
  expect([...new Set(wanted)].filter((command) => !run.has(command))).toEqual([]);
});

/** Rules of the examples that a workflow which publishes, or pushes a branch, cannot keep; it runs nothing of a pull request. */
const WRITES = [
  'a job that reads files or runs packages may write nothing',
  'a step that runs packages has no token',
  'no cluster.ts is run',
];

it.each(['ci.yml', 'release.yml', 'releases.yml'])('%s: its rights are those that it needs', (name) => {
  // A workflow of this repository is that of the same commit.
  const text = read(name).replace(/^ *uses: \.\/.*\n/gm, '');
  const broken = brokenRules(text);
  const isOfPullRequest = /^ {2}pull_request:/m.test(text);
  expect(broken.filter((rule) => isOfPullRequest || !WRITES.includes(rule))).toEqual([]);
});

it('site.yml keeps all rules, and publishes what the script of the site writes', () => {
  expect(brokenRules(read('site.yml'))).toEqual([]);
  const { jobs } = parse(read('site.yml')) as {
    readonly jobs: Readonly<Record<string, { readonly steps: readonly object[] }>>;
  };
  const { outDir } = siteConfig;
  expect(jobs['build']?.steps).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ run: 'npm run docs:site' }),
      expect.objectContaining({ with: { path: relative(process.cwd(), outDir ?? '') } }),
    ]),
  );
});

it('only ci.yml and the workflow that others call are of pull requests', () => {
  const ofPullRequests = readdirSync(FOLDER).filter((name) => /pull_request|workflow_call/.test(read(name)));
  expect(ofPullRequests).toEqual(['ci.yml', 'weft-review.yml']);
});

describe('a release', () => {
  const RELEASE = { tag: 'v1.2.3', repository: 'example/weft', commit: 'ab'.repeat(20) };

  it('names its commit in every example', () => {
    const files = readdirSync('examples/ci', { recursive: true, encoding: 'utf8' }).map((name) =>
      join('examples/ci', name),
    );
    const texts = files.filter((path) => statSync(path).isFile()).map((path) => readFileSync(path, 'utf8'));
    const isUnreleased = (text: string) => /platform\/weft\b|0{40}/.test(text);
    expect(texts.filter(isUnreleased).length).toBe(3);
    expect(texts.map((text) => pinned(text, RELEASE)).filter(isUnreleased)).toEqual([]);
    const call = pinned(readFileSync('examples/ci/github/weft-review.yml', 'utf8'), RELEASE);
    expect(call).toContain(`uses: example/weft/.github/workflows/weft-review.yml@${RELEASE.commit} # v1.2.3\n`);
  });

  it('names the image of its companion by a digest', () => {
    const source = readFileSync('src/compile/model/published-image.ts', 'utf8');
    const image = `ghcr.io/example/weft-companion:1.2.3@sha256:${'0f'.repeat(32)}`;
    expect(companionImageSource(source, image)).toContain(`PUBLISHED_COMPANION_IMAGE: string = '${image}';\n`);
    expect(() => companionImageSource(companionImageSource(source, image), image)).toThrow('names an image');
    for (const wrong of ['', image.replace(/@.*/, ''), image.replace(':1.2.3', ''), `${image}';`])
      expect(() => companionImageSource(source, wrong)).toThrow('it needs a tag and a digest');
  });

  it('builds the image of the companion, then the package that names it, then the image of the command from the same sources', () => {
    const { jobs } = parse(read('release.yml')) as { jobs: Readonly<Record<string, { needs?: string | string[] }>> };
    const before = (job: string): readonly string[] =>
      [jobs[job]?.needs ?? []].flat().flatMap((other) => [...before(other), other]);
    expect(before('npm')).toEqual(expect.arrayContaining(['ci', 'companion', 'pack', 'command']));
    expect(before('pack')).toEqual(['ci', 'companion']);
    const { steps = [] } = (parse(read('release.yml')) as Workflow).jobs['command'] ?? {};
    expect(steps.flatMap(({ run = '' }) => run.split('\n', 1))).toEqual(
      expect.arrayContaining(['git apply "$RUNNER_TEMP/prepared.patch"', expect.stringContaining('ghcr.io/')]),
    );
  });

  it('has the notes of its version, and is refused without', () => {
    const changelog =
      '# Changelog\n\n## Unreleased\n\n- Next.\n\n## 1.2.3\n\n- One.\n\n### Output\n\n- Two.\n\n## 1.2.30\n\n- Other.\n';
    expect(releaseNotes(changelog, '1.2.3')).toBe('- One.\n\n### Output\n\n- Two.\n');
    expect(() => releaseNotes(changelog, '1.2.4')).toThrow('CHANGELOG.md has nothing about 1.2.4');
  });
});

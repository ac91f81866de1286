import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codes } from '../../src/shared/diagnostics/codes.js';
import { compareText } from '../../src/shared/lib/json.js';
import { commentPicture } from '../docs/comment-picture.js';
import { companionPages } from '../docs/companion.js';
import { customResourcesPage } from '../docs/custom-resources.js';
import { projectReadme, readmes } from '../docs/embedded.js';
import { llmsPage } from '../docs/llms.js';
import { operatorDifferencesPage } from '../docs/operator-differences.js';
import { releaseImagesPage, releasesPage } from '../docs/releases.js';
import { programChecksPage } from '../docs/program-checks.js';
import { commandsPage, componentsPage, errorIndexPage, optionPages, type Page } from '../docs/pages.js';

// Writes the parts of the documentation that derive from the sources; with --check it writes nothing, and names what is
// stale. The pages about diagnostics are written by hand; this script only checks that each code has one.

const root = fileURLToPath(new URL('../..', import.meta.url));
const readFile = (path: string) => readFileSync(join(root, path), 'utf8');
const listFiles = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(root, folder, name)).isFile())
    .map((name) => name.split(sep).join('/'))
    .sort(compareText);

/** The problems of the hand-written pages about diagnostics. */
function errorPageProblems(): readonly string[] {
  const folder = 'docs/errors';
  const pages = listFiles(folder).filter((name) => name.startsWith('WEFT'));
  const wrong = Object.entries(codes).flatMap(([code, { title, severity }]) => {
    const path = `${folder}/${code}.md`;
    if (!pages.includes(`${code}.md`)) return [`${path} is missing: write the page of \`${code}\``];
    const head = `# ${code}: ${title}\n\nSeverity: ${severity}.`;
    return readFile(path).startsWith(head) ? [] : [`${path} must begin with\n${head}`];
  });
  const unknown = pages.filter((name) => !(name.slice(0, -'.md'.length) in codes));
  return [...wrong, ...unknown.map((name) => `${folder}/${name} is about a code that does not exist`)];
}

function existing(path: string): string | undefined {
  try {
    return readFile(path);
  } catch {
    return undefined;
  }
}

// Help is wrapped at the width of the terminal, on which pages must not depend.
process.stdout.columns = 80;

const filled = readmes(existing);
const generated: readonly Page[] = [
  ...optionPages(),
  componentsPage(),
  customResourcesPage(),
  ...companionPages(),
  await commandsPage(),
  errorIndexPage(),
  operatorDifferencesPage(),
  releasesPage(),
  releaseImagesPage(),
  programChecksPage(),
  ...filled.pages,
  projectReadme(readFile),
  commentPicture(readFile),
];
/** The text of a page as it will be. */
const pageText = (path: string) => generated.find((page) => page.path === path)?.text ?? readFile(path);
const documents = [
  ...new Set([
    ...readdirSync(root),
    ...listFiles('docs').map((name) => `docs/${name}`),
    ...generated.map(({ path }) => path),
  ]),
];
const pages = [...generated, llmsPage(documents, pageText)];
const left = listFiles('docs/reference/options').filter(
  (name) => !pages.some(({ path }) => path === `docs/reference/options/${name}`),
);
const problems = [
  ...filled.problems,
  ...errorPageProblems(),
  ...left.map((name) => `docs/reference/options/${name} is of no kind any more`),
];
const stale = pages.filter(({ path, text }) => existing(path) !== text);
if (process.argv.includes('--check')) {
  problems.push(...stale.map(({ path }) => `${path} is stale: run \`npm run docs\``));
} else {
  for (const { path, text } of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    process.stderr.write(`${relative(process.cwd(), join(root, path))}\n`);
  }
}
for (const problem of problems) process.stderr.write(`error: ${problem}\n`);
if (problems.length > 0) process.exitCode = 1;

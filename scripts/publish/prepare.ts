import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { companionImageSource, pinned, releaseNotes } from './texts.js';

/**
 * Before a release is packed: its examples name the tagged commit, package.json the repository, which npm compares with that of the
 * provenance, and the generator the image of the companion. Writes the release notes. It changes the work tree, which nobody commits:
 * `npm run publish:prepare -- --tag v0.1.0 --repository platform/weft --commit <hash> --companion-image <image>@<digest> --notes notes.md`
 */
const { values } = parseArgs({
  options: {
    tag: { type: 'string', default: '' },
    repository: { type: 'string', default: '' },
    commit: { type: 'string', default: '' },
    'companion-image': { type: 'string', default: '' },
    notes: { type: 'string', default: 'notes.md' },
  },
});
const { tag, repository, commit } = values;
const fields = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
if (tag !== `v${fields.version}`) throw new Error(`the tag is ${tag}, and package.json has ${fields.version}`);
if (!/^[\w.-]+\/[\w.-]+$/.test(repository) || !/^[0-9a-f]{40}$/.test(commit))
  throw new Error('what is released is not named');

const published = 'src/compile/model/published-image.ts';
writeFileSync(published, companionImageSource(readFileSync(published, 'utf8'), values['companion-image']));
writeFileSync(values.notes, releaseNotes(readFileSync('CHANGELOG.md', 'utf8'), fields.version));
const url = `git+https://github.com/${repository}.git`;
writeFileSync('package.json', `${JSON.stringify({ ...fields, repository: { type: 'git', url } }, null, 2)}\n`);
for (const name of readdirSync('examples/ci', { recursive: true, encoding: 'utf8' })) {
  const path = join('examples/ci', name);
  if (statSync(path).isFile()) writeFileSync(path, pinned(readFileSync(path, 'utf8'), { tag, repository, commit }));
}

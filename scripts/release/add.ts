import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { releaseFiles } from './files.js';

const USAGE = `usage: npm run release:add -- [--operator FOLDER [--commit HASH]] [--page FILE]

Makes or completes the entry of a final version in the catalog of releases, src/compile/releases.

  --operator  a work tree of Mellanox/network-operator at the tag: hack/release.yaml, Chart.yaml of its chart, annotations of its bundle
  --commit    its commit; else the one of its HEAD
  --page      NVIDIA's page of images with their digests: docs/advanced/images-sha256.rst of network-operator-docs, or as HTML
`;

const options = {
  operator: { type: 'string' },
  commit: { type: 'string' },
  page: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

async function add(): Promise<void> {
  const { values } = parseArgs({ options });
  if (values.help === true) {
    process.stdout.write(USAGE);
    return;
  }
  for (const [path, text] of Object.entries(releaseFiles(values))) {
    const parser = path.endsWith('.json') ? 'json' : 'typescript';
    writeFileSync(path, await format(text, { ...(await resolveConfig(path)), parser }));
    process.stdout.write(`${path}\n`);
  }
}

add().catch((error: unknown) => {
  process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = 2;
});

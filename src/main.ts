import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { App } from 'cdk8s';
import { companionFor } from './cli/compile/companion.js';
import { openProject } from './cli/problems.js';
import { findProject } from './cli/project.js';
import { hasErrors } from './cli/report.js';
import { applyIgnores } from './load/ignore-comments.js';
import { loadFolder } from './load/load.js';
import { resolve } from './config/resolve.js';
import { denyWarnings } from './diagnostics/deny.js';
import { renderText } from './diagnostics/render/text.js';
import { addCluster } from './synth.js';

// The app of `npx cdk8s synth` (cdk8s.yaml): every folder of clusters/ as a chart.
const cwd = process.cwd();
// `npm run build` writes it.
const readCompanionProgram = () => readFileSync(new URL('../lib/companion.cjs', import.meta.url), 'utf8');
const project = openProject(findProject(cwd), (path) => relative(cwd, path));
const app = new App();
let isBroken = 'code' in project;
if ('code' in project) process.stderr.write(renderText([project], { colour: false }));
for (const folder of 'code' in project ? [] : project.folders) {
  const loaded = await loadFolder(folder, {
    workingDirectory: cwd,
    onOutput: (text) => void process.stderr.write(text),
  });
  const { config, diagnostics } = resolve(loaded);
  const companion = config && (await companionFor(config, { readCompanionProgram }));
  const built = config ? addCluster(app, config, companion).diagnostics : [];
  const shown = applyIgnores(loaded.ignores ?? [], [...diagnostics, ...built]);
  const said = denyWarnings(shown, config?.cluster.spec.denyWarnings ?? []);
  process.stderr.write(renderText(said, { colour: false }));
  isBroken ||= hasErrors(said);
}
if (isBroken) process.exitCode = 2;
else app.synth();

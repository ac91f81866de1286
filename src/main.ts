import { App, Chart } from 'cdk8s';
import { findProject } from './cli/project.js';
import { applyIgnores } from './config/ignores.js';
import { loadFolder } from './config/load.js';
import { resolve } from './config/resolve.js';
import { Cluster } from './constructs/cluster.js';
import { renderText } from './diagnostics/render-text.js';

// The app of `npx cdk8s synth` (cdk8s.yaml): every folder of clusters/ as a chart.
const cwd = process.cwd();
const found = findProject(cwd);
const app = new App();
let isBroken = false;
for (const folder of 'project' in found ? found.project.folders : []) {
  const loaded = await loadFolder(folder, { workingDirectory: cwd });
  const { config, diagnostics } = resolve(loaded);
  const left = applyIgnores(loaded.ignores ?? [], diagnostics);
  process.stderr.write(renderText(left, { colour: false }));
  if (config) {
    const chart = new Chart(app, config.cluster.name, { disableResourceNameHashes: true });
    new Cluster(chart, 'cluster', { config });
  } else {
    isBroken = true;
  }
}
if (isBroken) process.exitCode = 2;
else app.synth();

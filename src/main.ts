import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { App } from 'cdk8s';
import { compileFolder } from './cli/compile/compile.js';
import { everyCluster, sameName } from './cli/problems.js';
import { findProject } from './cli/project.js';
import { collectDiagnostics } from './cli/report.js';
import { fleetFolders } from './cli/synth/fleet-folder.js';
import { renderText } from './shared/diagnostics/render/text.js';

// The app of `npx cdk8s synth` (cdk8s.yaml): every folder of clusters/ as a chart, compiled and checked as `weft synth` does.
const cwd = process.cwd();
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};
const io = {
  version,
  cwd,
  env: process.env,
  stderr: (text: string) => void process.stderr.write(text),
  // `npm run build` writes it.
  readCompanionProgram: () => readFileSync(new URL('../lib/companion.cjs', import.meta.url), 'utf8'),
};
const shown = (path: string) => relative(cwd, path);
const project = everyCluster(findProject(cwd), shown);
const app = new App();
const found = collectDiagnostics();
const fleets = fleetFolders(true);
const takenBy = new Map<string, string>();
if ('code' in project) found.add([project]);
for (const folder of 'code' in project ? [] : project.folders) {
  const { diagnostics, result } = await compileFolder(folder, io, { app, programs: true });
  found.add(diagnostics);
  if (result === undefined) continue;
  const { name } = result.config.cluster;
  const first = takenBy.get(name);
  if (first === undefined) takenBy.set(name, shown(folder));
  else found.add([sameName(name, first, shown(folder))]);
  found.add(fleets.take(result.config.cluster, cwd));
}
io.stderr(renderText(found.all, { colour: false }));
if (found.hasErrors()) process.exitCode = 2;
else app.synth();

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a chart whose templates are the files of an output folder, so that Helm renders the same objects. */
export function writeHelmChart(chart: string, outputFolder: string): void {
  mkdirSync(join(chart, 'templates'), { recursive: true });
  writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: same-objects\nversion: 0.0.0\n');
  const files = readdirSync(outputFolder, { recursive: true, encoding: 'utf8' });
  for (const [index, file] of files.filter((name) => name.endsWith('.yaml')).entries()) {
    if (file === 'kustomization.yaml') continue;
    const text = readFileSync(join(outputFolder, file), 'utf8');
    writeFileSync(join(chart, 'templates', `${index}.yaml`), text.replaceAll('{{', '{{ "{{" }}'));
  }
}

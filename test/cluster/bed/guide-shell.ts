import { readFileSync } from 'node:fs';
import { runBash } from '../../kit/bash.js';
import type { ControlPlane } from './control-plane.js';
import { binaries } from './test-bed.js';

/** The blocks of a guide that begin with `sh` and this word, in their order. */
export function guideBlocks(page: string, word: string): readonly string[] {
  const blocks = readFileSync(page, 'utf8').matchAll(new RegExp(`\`\`\`sh ${word}\\n([\\s\\S]*?)\`\`\``, 'g'));
  return [...blocks].map(([, text = '']) => text);
}

/** Runs a block in a folder, with the kubectl of a control plane. Returns what it printed. */
export async function runGuideBlock(controlPlane: ControlPlane, folder: string, text: string): Promise<string> {
  const path = `${binaries().controlplane}:${process.env['PATH'] ?? ''}`;
  const env = { ...process.env, PATH: path, KUBECONFIG: controlPlane.kubeconfig, HOME: folder };
  const { stdout, stderr } = await runBash(text, { cwd: folder, env });
  return stdout + stderr;
}

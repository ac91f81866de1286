import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from '@jest/globals';
import type { KubernetesObject } from '../../src/shared/kubernetes/types.js';
import type { JsonValue } from '../../src/shared/lib/json.js';
import { toYaml } from '../../src/compile/render/yaml/yaml.js';

/** Whether goldens are rewritten instead of compared: `npm run golden`. */
export const isUpdate = process.env['WEFT_UPDATE'] === '1';

/** Compares text with a golden file, or writes it. */
export function expectGolden(path: string, text: string): void {
  if (isUpdate) {
    if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return;
  }
  if (!existsSync(path)) throw new Error(`there is no golden ${path}; write it with \`npm run golden\``);
  expect(text).toBe(readFileSync(path, 'utf8'));
}

/** Objects as one file of several YAML documents, in their order. */
export function manifestText(objects: readonly KubernetesObject[]): string {
  return objects.map((object) => toYaml(object as unknown as JsonValue)).join('---\n');
}

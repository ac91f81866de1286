import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** A package whose code a bundle contains. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  /** What its licence asks to hand on: the texts of its LICENSE and NOTICE files. */
  readonly text: string;
}

const LICENSE_FILE = /^(?:licen[cs]e|copying)(?:\.\w+)?$/i;
const NOTICE_FILE = /^notice(?:\.\w+)?$/i;

/** The texts of packages that are published without one: rfc6902 names the MIT licence and its author in its README. */
const UNPUBLISHED: Readonly<Record<string, string>> = {
  rfc6902: `MIT License

Copyright 2014-2021 Christopher Brown

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
};

/** The packages whose files esbuild read for a bundle. A package without the text of its licence fails the build. */
export function bundledPackages({ inputs }: Metafile): readonly BundledPackage[] {
  const folders = Object.keys(inputs).flatMap(
    (path) => /^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
  );
  return [...new Set(folders)].map(packageIn);
}

function packageIn(folder: string): BundledPackage {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  const [name, version, license] = [manifest['name'], manifest['version'], manifest['license']].map(String) as [
    string,
    string,
    string,
  ];
  const textsOf = (pattern: RegExp) =>
    readdirSync(folder)
      .filter((file) => pattern.test(file))
      .sort()
      .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim())
      .filter((text) => text !== '');
  const licenses = textsOf(LICENSE_FILE);
  if (licenses.length === 0 && UNPUBLISHED[name] !== undefined) licenses.push(UNPUBLISHED[name]);
  if (licenses.length === 0) {
    throw new Error(`${name} ${version} has no licence file: add its text to UNPUBLISHED in scripts/notices.ts`);
  }
  return { name, version, license, text: [...licenses, ...textsOf(NOTICE_FILE)].join('\n\n') };
}

const LINE = '-'.repeat(80);

/** The notices of packages, each once, by name. */
export function noticesText(what: string, packages: readonly BundledPackage[]): string {
  const entries = packages.map(
    ({ name, version, license, text }) => `${LINE}\n${name} ${version} (${license})\n${LINE}\n\n${text}\n`,
  );
  return `${what} code of these packages, under these licences.\n\n${[...new Set(entries)].sort().join('\n')}`;
}

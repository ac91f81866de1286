import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { minify } from '@swc/core';
import { build, type OnLoadResult, type Plugin } from 'esbuild';
import ts from 'typescript';

/** The maximum size of the program as JSON text in its ConfigMap. The API server accepts objects of up to about 1 MiB. */
const PROGRAM_JSON_BYTES_MAX = 216 * 1024;

/**
 * Bundles a file of the companion with everything that it imports, so that it needs no packages. esbuild bundles it; swc minifies it,
 * because its result is a few percent smaller than esbuild's.
 */
export async function bundledForCompanion(entryPoint: string): Promise<string> {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const { outputFiles } = await build({
    entryPoints: [entryPoint],
    write: false,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    logLevel: 'warning',
    legalComments: 'none',
    define: { WEFT_VERSION: JSON.stringify(version) },
    plugins: [withoutJsonSchema, withoutUnusedMethods, withoutDescriptions],
  });
  const { code } = await minify(outputFiles[0]?.text ?? '', {
    compress: { passes: 3, toplevel: true, ecma: 2020 },
    mangle: { toplevel: true },
    format: { comments: false },
    module: false,
  });
  return code;
}

/** The companion's program: one file that a stock Node image runs. */
export async function buildCompanion(outfile: string): Promise<void> {
  const code = await bundledForCompanion('src/upgrade/runtime/main.ts');
  const bytes = Buffer.byteLength(JSON.stringify(code));
  if (bytes > PROGRAM_JSON_BYTES_MAX) throw new Error(`the companion's program takes ${bytes} bytes as JSON text`);
  await mkdir(dirname(outfile), { recursive: true });
  writeFileSync(outfile, code);
}

/** Removes zod's conversion to JSON Schema, a tenth of the program, which the companion does not use. */
const withoutJsonSchema: Plugin = {
  name: 'without-json-schema',
  setup(bundle) {
    bundle.onLoad(
      { filter: /zod\/v4\/core\/(?:json-schema-processors|to-json-schema|json-schema-generator)\.js$/ },
      ({ path }) => {
        const names = [...readFileSync(path, 'utf8').matchAll(/^export (?:const|function|class) (\w+)/gm)];
        // Each schema gets methods from these when it is created; none of them is called.
        return { contents: names.map(([, name]) => `export const ${name} = () => () => undefined;`).join('\n') };
      },
    );
  },
};

/** Methods that create and use the schemas of src/contract. */
const USED_METHODS = new Set([
  ...[
    'check',
    'clone',
    'default',
    'describe',
    'endsWith',
    'extend',
    'max',
    'min',
    'optional',
    'parse',
    'prefault',
    'refine',
    'regex',
  ],
  ...['safeParse', 'superRefine'],
]);

/**
 * Zod gives each schema all its methods, and they need formats, transforms and codecs that no schema here has. The call of a method
 * that is missing throws as soon as the program starts, because schemas are created then.
 */
const withoutUnusedMethods: Plugin = {
  name: 'without-unused-methods',
  setup(bundle) {
    bundle.onLoad({ filter: /zod\/v4\/classic\/schemas\.js$/ }, ({ path }) => transformed(path, dropUnusedMethods));
  },
};

/** Only the reference of options needs the texts of `.describe()`. */
const withoutDescriptions: Plugin = {
  name: 'without-descriptions',
  setup(bundle) {
    bundle.onLoad({ filter: /src\/contract\/[a-z-]+\.ts$/ }, ({ path }) => transformed(path, dropDescriptions));
  },
};

function transformed(path: string, transform: ts.TransformerFactory<ts.SourceFile>): OnLoadResult {
  const { outputText } = ts.transpileModule(readFileSync(path, 'utf8'), {
    compilerOptions: {
      allowJs: true,
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    },
    transformers: { before: [transform] },
  });
  return { contents: outputText, loader: 'js' };
}

function dropUnusedMethods(context: ts.TransformationContext): ts.Transformer<ts.SourceFile> {
  const visit = (node: ts.Node): ts.Node | undefined => {
    const isUnused =
      ts.isMethodDeclaration(node) &&
      ts.isObjectLiteralExpression(node.parent) &&
      ts.isIdentifier(node.name) &&
      !USED_METHODS.has(node.name.text);
    return isUnused ? undefined : ts.visitEachChild(node, visit, context);
  };
  return (file) => ts.visitEachChild(file, visit, context);
}

function dropDescriptions(context: ts.TransformationContext): ts.Transformer<ts.SourceFile> {
  const visit = (node: ts.Node): ts.Node => {
    const visited = ts.visitEachChild(node, visit, context);
    const isDescription =
      ts.isCallExpression(visited) &&
      ts.isPropertyAccessExpression(visited.expression) &&
      visited.expression.name.text === 'describe';
    return isDescription ? visited.expression.expression : visited;
  };
  return (file) => ts.visitEachChild(file, visit, context);
}

// The Dockerfile builds only this file.
if (/[\\/]scripts[\\/]build-companion\.ts$/.test(process.argv[1] ?? '')) void buildCompanion(process.argv[2] ?? '');

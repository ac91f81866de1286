import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { allAddOns } from '../src/compile/addons/all.js';
import { allComponents } from '../src/compile/components/all.js';
import { filesBelow } from './kit/files.js';

/**
 * Tests the structure of the repository: what each folder may import, the sizes of files and functions, dead code and import
 * cycles. The rules are those of ARCHITECTURE.md and STYLE.md.
 */
const MAX_FILE_LINES = 400;
/** What a script writes may be longer. */
const GENERATED = [
  'src/compile/model/input.ts',
  'src/compile/model/kubernetes-types.ts',
  'src/compile/constructs/policy-components.ts',
  'src/compile/config/rules/rules.ts',
  'src/shared/diagnostics/rule-codes.ts',
];
const MAX_FUNCTION_LINES = 70;
const MAX_TEST_LINES = 500;

interface Source {
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
  /** Repository paths of the files that it imports, and names of packages. */
  readonly imports: readonly Import[];
  /** Names that the file itself exports, types included. */
  readonly exports: readonly string[];
}

interface Import {
  readonly target: string;
  /** `*` for all names. */
  readonly names: readonly string[];
}

function readSource(path: string): Source {
  const text = readFileSync(path, 'utf8');
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports: Import[] = [];
  const exports: string[] = [];
  const add = (specifier: string, names: readonly string[]) => {
    const target = specifier.startsWith('.')
      ? normalize(join(dirname(path), specifier)).replace(/\.js$/, '.ts')
      : specifier;
    imports.push({ target, names });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      add(node.moduleSpecifier.text, namesOf(node.importClause?.namedBindings));
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
      add(node.moduleSpecifier.text, node.exportClause ? namesOf(node.exportClause) : ['*']);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (argument && ts.isStringLiteral(argument)) add(argument.text, namesOfDynamicImport(node));
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      if (ts.isStringLiteral(node.argument.literal)) add(node.argument.literal.text, ['*']);
    }
    exports.push(...exportedNames(node));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { path, text, tree, imports, exports };
}

function namesOf(bindings: ts.NamedImportBindings | ts.NamedExportBindings | undefined): readonly string[] {
  if (bindings === undefined) return [];
  if (!ts.isNamedImports(bindings) && !ts.isNamedExports(bindings)) return ['*'];
  return bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).text);
}

/** The names in `const { a } = await import('…')` and `(await import('…')).a`; all names for any other use. */
function namesOfDynamicImport({ parent: awaited }: ts.CallExpression): readonly string[] {
  if (!ts.isAwaitExpression(awaited)) return ['*'];
  const { parent } = awaited;
  if (ts.isVariableDeclaration(parent) && ts.isObjectBindingPattern(parent.name)) {
    return parent.name.elements.map(({ propertyName, name }) => (propertyName ?? name).getText());
  }
  const isAccessed = ts.isParenthesizedExpression(parent) && ts.isPropertyAccessExpression(parent.parent);
  return isAccessed ? [parent.parent.name.text] : ['*'];
}

function exportedNames(node: ts.Node): readonly string[] {
  const isExported = (one: ts.HasModifiers) =>
    ts.getModifiers(one)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
  if (ts.isVariableStatement(node) && isExported(node)) {
    return node.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  }
  const isDeclaration =
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node);
  return isDeclaration && isExported(node) && node.name ? [node.name.text] : [];
}

const sources = filesBelow('src')
  .filter((path) => path.endsWith('.ts'))
  .map(readSource);
/** Tests, and tables of tests that one file of tests imports. */
const isTest = (path: string) => /\.(?:test|table)\.ts$/.test(path);
const programs = sources.filter(({ path }) => !isTest(path));

/** Everything that is written by hand. */
const ownFiles = ['src', 'test', 'scripts', 'bench']
  .flatMap(filesBelow)
  .filter((path) => /\.(?:ts|mjs)$/.test(path) && !path.includes('/.cache/'));

const scripts = filesBelow('scripts')
  .filter((path) => path.endsWith('.ts'))
  .map(readSource);

/** Files in which the id of a component or the key of its section is something else, and what. */
const NO_KNOWLEDGE: readonly (readonly [RegExp, string])[] = [
  [
    /^src\/compile\/releases\/(?:versions\/)?v[\d.]+\.json$/,
    "names of images in the operator's release file; a component says which are its own",
  ],
  [/^src\/compile\/crds\/[^/]+\.json$/, 'where a definition is from, and the API group of its project'],
  [
    /^src\/shared\/contract\/labels\.ts$/,
    "the operator's label `nvidia.com/ofed-driver` of driver pods, which the companion reads",
  ],
  [
    /^src\/compile\/networks\/[^/]+\//,
    'names of CNI plugins, as the configuration of a network has them: the component that installs one names it',
  ],
  [
    /^src\/compile\/config\/rules\/network-values\//,
    'names of CNI programs and of the kinds of networks, whose texts and values these rules check',
  ],
  [
    /^src\/cluster\/takeover\/preflight\.ts$/,
    "names of sub-charts of the operator's chart, by the label of their Deployments: what an uninstall deletes",
  ],
  [
    /^src\/forecast\/simulation\//,
    'the Maintenance Operator as a program in the cluster, which writes under its own name',
  ],
  [
    /^src\/compile\/passthrough\/table\.ts$/,
    'API groups of custom resources, some of which have the names of their projects',
  ],
  [
    /^src\/cluster\/import\/chart(?:-kinds|-policy)?\.ts$/,
    "paths of values of the operator's chart, some of which have the names of sections",
  ],
  [/^src\/compile\/model\/input\.ts$/, 'the types of all documents, which are generated from the schemas'],
  [
    /^src\/compile\/constructs\/policy-components\.ts$/,
    'the types of the components of policies, which are generated from the registry',
  ],
  [/^src\/compile\/config\/rules\/rules\.ts$/, 'the list of all rules, which is generated from their files'],
  [/^(?:scripts\/new-component|src\/cli\/init\/example-policy)\.ts$/, 'an example, which a person edits'],
  [/^scripts\/docs\/pages\.ts$/, 'an example of a policy with mistakes, for the page of diagnostics'],
];

/** Files that import from the sources: these themselves, tests, scripts and benchmarks. */
const importers = [
  ...sources,
  ...scripts,
  ...['test', 'bench']
    .flatMap(filesBelow)
    .filter((path) => path.endsWith('.ts'))
    .map(readSource),
];

/** Files whose exports are for programs outside the repository, or for the bundle. */
const ENTRIES = ['src/index.ts', 'src/main.ts', 'src/cli/main.ts'];

/** The first folders of a path. */
const folders = (path: string, count: number) =>
  dirname(path)
    .split('/')
    .slice(0, path.startsWith('src/') ? count : 1)
    .join('/');

/** Files that may touch the file system, the environment, the clock or the network. */
const EDGES = [
  /^src\/cli\//,
  /^src\/shared\/files\//,
  /^src\/shared\/kube-client\//,
  /^src\/cluster\/client\//,
  /^src\/main\.ts$/,
  /^src\/compile\/load\/(?:load|missing-folder|unread-files)\.ts$/,
  /^src\/compile\/load\/program\//,
  /^src\/compile\/render\/tree\/(?:disk|lock|survey|write)\.ts$/,
  /^src\/companion\/runtime\/process\//,
  /^src\/companion\/runtime\/main\.ts$/,
];
const isEdge = (path: string) => EDGES.some((pattern) => pattern.test(path));

describe('what each room may not do', () => {
  const OUTSIDE = /^(?:node:)?(?:fs|child_process|http|https|net|os|dns|tls|process|readline|worker_threads)(?:\/|$)/;

  it('pure rooms read no environment, clock or random number', () => {
    const REACHES = /\bprocess\.(?!stdout\b)|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\.now\(/;
    const found = programs.filter(({ path, text }) => !isEdge(path) && REACHES.test(withoutComments(text)));
    expect(found.map(({ path }) => path)).toEqual([]);
  });

  it('only the command line and the entry files print, and only the entry files set the exit code', () => {
    const ENTRY = /^src\/(?:cli\/main|main|companion\/runtime\/main)\.ts$/;
    const PRINTS = /\bconsole\.|\bprocess\.(?:stdout|stderr)\.write\b/;
    const prints = programs.filter(
      ({ path, text }) => !path.startsWith('src/cli/') && !ENTRY.test(path) && PRINTS.test(withoutComments(text)),
    );
    const exits = programs.filter(
      ({ path, text }) => !ENTRY.test(path) && /\bprocess\.exit/.test(withoutComments(text)),
    );
    expect([...prints, ...exits].map(({ path }) => path)).toEqual([]);
  });

  it('shared code knows no component and no add-on: neither its id nor the key of its section', () => {
    const names = new Set([...allComponents, ...allAddOns].flatMap(({ id, source }) => [id, source.path.at(-1) ?? id]));
    const named = new RegExp(`(?<![\\w-])(?:${[...names].join('|')})(?![\\w-])`);
    const texts = [
      ...[...programs, ...scripts].map(({ path, text }) => ({ path, text: withoutComments(text) })),
      ...filesBelow('src')
        .filter((path) => path.endsWith('.json'))
        .map((path) => ({ path, text: readFileSync(path, 'utf8') })),
    ];
    const found = texts
      .filter(({ path }) => !/^src\/compile\/(?:components|addons)\/(?:[^/]+\/|registry\.ts$)/.test(path))
      .filter(({ text }) => named.test(text))
      .map(({ path }) => path);
    expect(found.filter((path) => !NO_KNOWLEDGE.some(([pattern]) => pattern.test(path)))).toEqual([]);
    expect(NO_KNOWLEDGE.filter(([pattern]) => !found.some((path) => pattern.test(path)))).toEqual([]);
  });

  it('the decision core knows no participant by its name', () => {
    const core = programs.filter(({ path }) => path.startsWith('src/companion/core/'));
    const named = core.filter(({ text }) => /sriov|gpu|ofed|nodeMaintenance/i.test(withoutComments(text)));
    expect(named.map(({ path }) => path)).toEqual([]);
  });

  const isIn =
    (...folders: readonly string[]) =>
    (path: string) =>
      folders.some((folder) => path.startsWith(`${folder}/`));
  /** Files of the sources in none of these folders. */
  const isOutOf =
    (...folders: readonly string[]) =>
    (target: string) =>
      target.startsWith('src/') && !isIn(...folders)(target);
  const folderOf = (path: string) =>
    /^src\/compile\/(?:components|networks|addons)\/(?!cni\/)[^/]+(?=\/)/.exec(path)?.[0];
  const HELPERS = ['src/shared/kubernetes', 'src/shared/lib', 'src/shared/kube-client'];
  /** What each room may import beside itself; the command line imports from all. */
  const ROOMS: Readonly<Record<string, readonly string[]>> = {
    shared: [],
    compile: ['shared'],
    companion: ['shared'],
    cluster: ['shared', 'compile'],
    review: ['shared', 'compile', 'cluster', 'companion'],
    forecast: ['shared', 'companion'],
  };
  const REGISTRIES = [
    'src/compile/components/registry.ts',
    'src/compile/networks/registry.ts',
    'src/compile/addons/registry.ts',
    'src/compile/config/rules/rules.ts',
  ];

  const rules: readonly {
    readonly name: string;
    readonly isOwn: (path: string) => boolean;
    readonly isForbidden: (target: string, path: string) => boolean;
  }[] = [
    {
      name: 'pure rooms import no module of Node that does input or output',
      isOwn: (path) => path.startsWith('src/') && !isEdge(path),
      isForbidden: (target) => OUTSIDE.test(target),
    },
    {
      name: 'only the registries import from the folder of a component, a network or an add-on, or its own files',
      isOwn: (path) => !REGISTRIES.includes(path),
      isForbidden: (target, path) => folderOf(target) !== undefined && folderOf(target) !== folderOf(path),
    },
    ...Object.entries(ROOMS).map(([name, others]) => ({
      name: `the room ${name} imports from: ${others.join(', ') || 'no other'}`,
      isOwn: isIn(`src/${name}`),
      isForbidden: isOutOf(...[name, ...others].map((one) => `src/${one}`)),
    })),
    {
      name: 'the companion meets the generator in src/shared/contract only',
      isOwn: isIn('src/companion'),
      isForbidden: isOutOf('src/companion', 'src/shared/contract', ...HELPERS),
    },
    {
      name: 'the contract knows neither the companion nor the generator',
      isOwn: isIn('src/shared/contract'),
      isForbidden: isOutOf('src/shared/contract', ...HELPERS),
    },
    {
      name: 'the simulation is built on the companion alone',
      isOwn: isIn('src/forecast/simulation'),
      isForbidden: isOutOf('src/forecast/simulation', 'src/companion', 'src/shared/contract', ...HELPERS),
    },
    {
      name: 'the client of the Kubernetes API knows only helpers',
      isOwn: isIn('src/shared/kube-client'),
      isForbidden: isOutOf('src/shared/kube-client', 'src/shared/lib'),
    },
    {
      name: 'the command line sends no requests of its own: it knows only types of the client',
      isOwn: isIn('src/cli'),
      isForbidden: (target) => /^src\/shared\/kube-client\/(?!api-client\.ts$|types\.ts$)/.test(target),
    },
    {
      name: 'the decision core does not import what it decides about, the runtime around it, nor the client',
      isOwn: isIn('src/companion/core'),
      isForbidden: isIn(
        ...['participants', 'modes', 'runtime'].map((one) => `src/companion/${one}`),
        'src/shared/kube-client',
      ),
    },
  ];
  it.each(rules)('$name', ({ isOwn, isForbidden }) => {
    const found = [...programs, ...scripts]
      .filter(({ path }) => isOwn(path))
      .flatMap(({ path, imports }) =>
        imports.filter(({ target }) => isForbidden(target, path)).map(({ target }) => `${path}: ${target}`),
      );
    expect(found).toEqual([]);
  });
});

describe('size', () => {
  it(`files have at most ${MAX_FILE_LINES} lines`, () => {
    const large = sources
      .map(({ path, text }) => ({ path, lines: text.split('\n').length }))
      .filter(({ path, lines }) => !isTest(path) && !GENERATED.includes(path) && lines > MAX_FILE_LINES);
    expect(large).toEqual([]);
  });

  it(`files of tests have at most ${MAX_TEST_LINES} lines`, () => {
    const large = ownFiles
      .filter((path) => isTest(path) || path.startsWith('test/'))
      .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n').length }))
      .filter(({ lines }) => lines > MAX_TEST_LINES);
    expect(large).toEqual([]);
  });

  it('Prettier formats every line', () => {
    const ignored = /\/\/ prettier-ignore|\/\* prettier-ignore/;
    expect(ownFiles.filter((path) => ignored.test(readFileSync(path, 'utf8')) && path !== 'test/tidy.test.ts')).toEqual(
      [],
    );
  });

  it(`functions have at most ${MAX_FUNCTION_LINES} lines`, () => {
    const long = programs.flatMap(({ path, tree }) =>
      functionsOf(tree)
        .filter(({ lines }) => lines > MAX_FUNCTION_LINES)
        .map(({ name, lines }) => `${path}: ${name} has ${lines}`),
    );
    expect(long).toEqual([]);
  });
});

describe('shape', () => {
  it('files have no import cycle, not even by a type', () => {
    const edges = new Map(programs.map(({ path, imports }) => [path, imports.map(({ target }) => target)]));
    expect(findCycle(edges)).toBeUndefined();
  });

  it.each([
    {
      name: 'folders have no import cycle, not even by a type; a folder and its subfolders may import from each other',
      groupOf: (path: string) => dirname(path),
      isSame: (one: string, other: string) => `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`),
    },
    {
      name: 'rooms have no import cycle, not even by a type',
      groupOf: (path: string) => folders(path, 2),
      isSame: (one: string, other: string) => one === other,
    },
    {
      name: 'the folders of a room have no import cycle, not even by a type',
      groupOf: (path: string) => folders(path, 3),
      isSame: (one: string, other: string) =>
        one.startsWith(`${other}/`) || other.startsWith(`${one}/`) || one === other,
    },
  ])('$name', ({ groupOf, isSame }) => {
    const edges = new Map<string, string[]>();
    for (const { path, imports } of programs) {
      const own = groupOf(path);
      const others = imports.filter(({ target }) => target.startsWith('src/')).map(({ target }) => groupOf(target));
      edges.set(own, [...(edges.get(own) ?? []), ...others.filter((other) => !isSame(own, other))]);
    }
    expect(findCycle(edges)).toBeUndefined();
  });

  it('no file is dead', () => {
    const roots = [
      'src/index.ts',
      'src/main.ts',
      'src/cli/main.ts',
      'src/compile/load/program/worker.ts',
      'src/companion/runtime/loop/loop.ts',
      'src/companion/runtime/run-outcome.ts',
      'src/companion/runtime/main.ts',
      'src/forecast/page/browser/main.ts',
    ];
    const used = new Set([
      ...roots,
      ...importers
        .filter(({ path }) => !path.startsWith('src/') || !isTest(path))
        .flatMap(({ imports }) => imports.map(({ target }) => target)),
    ]);
    expect(programs.map(({ path }) => path).filter((path) => !used.has(path))).toEqual([]);
  });

  it('no export is unused', () => {
    const isEntry = (path: string) => ENTRIES.includes(path);
    const used = new Set(
      importers.flatMap(({ imports }) =>
        imports.flatMap(({ target, names }) => names.map((name) => `${target} ${name}`)),
      ),
    );
    const unused = programs
      .filter(({ path }) => !isEntry(path) && !used.has(`${path} *`))
      .flatMap(({ path, exports }) => exports.map((name) => `${path} ${name}`))
      .filter((name) => !used.has(name));
    expect(unused).toEqual([]);
  });

  it('file names are kebab-case', () => {
    const odd = sources
      .map(({ path }) => path)
      .filter((path) => !/^(?:[a-z0-9-]+\/)+[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:test|table))?\.ts$/.test(path));
    expect(odd).toEqual([]);
  });

  it('every component, network and add-on has its folder, its README and its tests', () => {
    const lacking = ['src/compile/components', 'src/compile/networks', 'src/compile/addons'].flatMap((home) =>
      readdirSync(home, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && `${home}/${entry.name}` !== 'src/compile/networks/cni')
        .flatMap((entry) => {
          const files = filesBelow(join(home, entry.name));
          const needs = ['index.ts', 'schema.ts', 'manifests.ts', 'README.md'].filter(
            (name) => !files.includes(join(home, entry.name, name)),
          );
          const hasTest = files.some((path) => path.endsWith('.test.ts'));
          return [...needs, ...(hasTest ? [] : ['a test'])].map((what) => `${home}/${entry.name}: ${what}`);
        }),
    );
    expect(lacking).toEqual([]);
  });

  // Such words are also placeholders that people leave in their documents, which rules and their tests name.
  it('nothing is left for later', () => {
    const found = sources.filter(({ text }) => /(?:\/\/|\/?\*|#|<!--)\s*(?:TODO|FIXME|XXX)\b/.test(text));
    expect(found.map(({ path }) => path)).toEqual([]);
  });
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

function functionsOf(tree: ts.SourceFile): readonly { readonly name: string; readonly lines: number }[] {
  const found: { name: string; lines: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const line = (position: number) => tree.getLineAndCharacterOfPosition(position).line;
      const name = node.name && ts.isIdentifier(node.name) ? node.name.text : `line ${line(node.getStart()) + 1}`;
      found.push({ name, lines: line(node.getEnd()) - line(node.getStart()) + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function findCycle(edges: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]): readonly string[] | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const target of edges.get(path) ?? []) {
      const cycle = walk(target, [...trail, path]);
      if (cycle) return cycle;
    }
    done.add(path);
    return undefined;
  };
  for (const path of edges.keys()) {
    const cycle = walk(path, []);
    if (cycle) return cycle;
  }
  return undefined;
}

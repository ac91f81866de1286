import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize, sep } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { transformSync } from '@swc/core';
import * as cdk8s from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import * as z from 'zod';
import { optionRows } from '../scripts/docs/option-rows.js';
import { projectReadme } from '../scripts/docs/embedded.js';
import { applyIgnores } from '../src/compile/load/ignore-comments.js';
import { loadFolder } from '../src/compile/load/load.js';
import { resolve } from '../src/compile/config/resolve.js';
import { join as joinLoaded, loadYaml } from '../src/compile/load/yaml/yaml.js';
import { codes } from '../src/shared/diagnostics/codes.js';
import type { Diagnostic } from '../src/shared/diagnostics/diagnostic.js';
import { renderText } from '../src/shared/diagnostics/render/text.js';
import * as weft from '../src/index.js';
import { buildObjects } from '../src/compile/synth.js';
import { isEveryCase } from './kit/shares.js';

const root = join(__dirname, '..');
const readFile = (path: string) => readFileSync(join(root, path), 'utf8');
const listFiles = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(root, folder, name)).isFile())
    .map((name) => name.split(sep).join('/'))
    .sort();
const markdownIn = (folder: string) =>
  listFiles(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

const topPages = readdirSync(root).filter((name) => name.endsWith('.md'));
const rooms = ['docs', 'src/compile/components', 'src/compile/networks', 'src/compile/addons'];
const pages = [...topPages, ...rooms.flatMap(markdownIn)].map((path) => ({ path, text: readFile(path) }));

interface Block {
  readonly path: string;
  readonly line: number;
  readonly language: string;
  /** Words after the language: `error`, `fixed`, `fragment`, `alone`, `cluster`, `program`. `yaml cluster` is the `spec` of a Cluster. */
  readonly words: readonly string[];
  readonly text: string;
}

function blocksOf({ path, text }: { readonly path: string; readonly text: string }): readonly Block[] {
  return [...text.matchAll(/^(```+)(\w+)([^\n]*)\n([^]*?)^\1$/gm)].map(({ index, 2: language, 3: info, 4: body }) => ({
    path,
    line: text.slice(0, index).split('\n').length,
    language: language ?? '',
    words: (info ?? '').trim().split(/\s+/),
    text: body ?? '',
  }));
}

const blocks = pages.flatMap(blocksOf);
const named = (some: readonly Block[]) => some.map((block) => [`${block.path}:${block.line}`, block] as const);

/** Added to the documents of a block that has no Cluster and is not marked `alone`. */
const CLUSTER = `apiVersion: weft.dev/v1alpha1
kind: Cluster
metadata: {name: docs}
spec:
  release: v26.4
  nodePools:
    - {name: workers, osName: ubuntu, osVersion: "24.04", arch: amd64, kernel: 6.8.0-31-generic}
`;

async function compile({ path, language, words, text }: Block): Promise<readonly Diagnostic[]> {
  const isSpec = language === 'yaml' && words.includes('cluster');
  const loaded =
    language === 'ts' ? await loadTypeScript(text) : loadYaml(path, isSpec ? text.replace(/^spec:\n/, CLUSTER) : text);
  const needsCluster = !isSpec && !text.includes('weft.dev/v1alpha1') && !words.includes('alone');
  const cluster = needsCluster ? loadYaml('cluster.yaml', CLUSTER) : { documents: [], diagnostics: [] };
  const { config, diagnostics } = resolve(joinLoaded([loaded, cluster]));
  const built = config ? buildObjects(config).diagnostics : [];
  return applyIgnores(loaded.ignores ?? [], [...diagnostics, ...built]);
}

async function loadTypeScript(text: string): ReturnType<typeof loadFolder> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-docs-'));
  try {
    writeFileSync(join(folder, 'cluster.ts'), text);
    return await loadFolder(folder, { workingDirectory: folder, programs: 'run' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const errorsOf = (diagnostics: readonly Diagnostic[]) => diagnostics.filter(({ severity }) => severity === 'error');
const shown = (diagnostics: readonly Diagnostic[]) => renderText(diagnostics, { colour: false });

/** The help of each command, such as `synth` and `upgrade run`, from the page that has it as it is printed. */
const COMMANDS = new Map(
  readFile('docs/reference/commands.md')
    .split(/^##+ weft /m)
    .slice(1)
    .map((part) => [part.slice(0, part.indexOf('\n')), part]),
);

it('commands in guides exist, with their options', () => {
  const guides = pages.filter(({ path }) => path === 'README.md' || path.startsWith('docs/guide/'));
  const found = guides.flatMap(({ path, text }) =>
    [...text.matchAll(/\bweft ((?:upgrade )?[a-z]+)((?: +(?:'[^'\n]*'|"[^"\n]*"|[^\s`|#;&)>'"]+))*)/g)]
      .filter(({ index }) => isCode(text, index))
      .map(([call, name = '', rest = '']) => ({
        path,
        call,
        name,
        options: rest.match(/(?<=\s)--?[a-z][a-z-]*/g) ?? [],
      })),
  );
  expect(found.length).toBeGreaterThan(100);
  // `weft approve` is a comment on a pull request.
  const wrong = found
    .filter(({ name }) => name !== 'approve')
    .flatMap(({ path, call, name, options }) => {
      const help = COMMANDS.get(name) ?? '';
      const unknown = options.filter((option) => !new RegExp(`(?<=[\\s,])${option}\\b`).test(help));
      return help !== '' && unknown.length === 0 ? [] : [`${path}: ${call}`];
    });
  expect(wrong).toEqual([]);
});

/** Whether a place is in a fenced block, or in an inline one. */
function isCode(text: string, index: number): boolean {
  const before = text.slice(0, index);
  if ((before.match(/^ *```/gm) ?? []).length % 2 === 1) return true;
  const paragraph = before.slice(before.lastIndexOf('\n\n') + 1).replace(/^ *```.*$/gm, '');
  return (paragraph.match(/`/g) ?? []).length % 2 === 1;
}

it('tables have rows: an empty line would end them at their head', () => {
  const broken = pages.filter(({ text }) => /^\|(?: *:?-+:? *\|)+ *\n(?!\|)/m.test(text));
  expect(broken.map(({ path }) => path)).toEqual([]);
});

describe('examples compile', () => {
  const isExample = ({ language, words, text }: Block) =>
    words.includes('cluster') ||
    (language === 'yaml' &&
      /^\s*apiVersion:/m.test(text) &&
      !words.some((word) => /^(error|fixed|fragment)$/.test(word)));
  const examples = blocks.filter(isExample);

  it('have the recipe for Slurm, to be copied', () => {
    const recipe = blocks.find(
      ({ words, text }) => words.includes('cluster') && text.includes('slurm.net/pod-protect'),
    );
    expect(recipe?.text).toMatch(/waitForEvictedPods: false[^]*waitForCompletion: .*timeoutSeconds: 0/);
  });

  it('are found', () => {
    const paths = new Set(examples.map(({ path }) => path));
    expect([...paths]).toEqual(expect.arrayContaining(['docs/guide/first-cluster.md', 'docs/guide/cluster-ts.md']));
  });

  it.each(named(examples))('%s', async (_name, block) => {
    expect(shown(errorsOf(await compile(block)))).toBe('');
  });
});

describe('pages about diagnostics', () => {
  const pageOf = (path: string) => /^docs\/errors\/(WEFT\d{4})\.md$/.exec(path)?.[1];
  const about = pages.flatMap(({ path }) => pageOf(path) ?? []);

  it('are there for each code, and for no other', () => {
    expect([...about].sort()).toEqual(Object.keys(codes).sort());
  });

  it('begin with the title and the severity', () => {
    for (const code of about) {
      const { title = '', severity = '' } = codes[code] ?? {};
      expect(readFile(`docs/errors/${code}.md`)).toContain(`# ${code}: ${title}\n\nSeverity: ${severity}.\n`);
    }
  });

  it('have an example and its fix', () => {
    const has = (code: string, word: string) =>
      blocks.some(({ path, words }) => pageOf(path) === code && words.includes(word));
    const without = about.filter((code) => !(has(code, 'error') && has(code, 'fixed')));
    expect(without).toEqual([]);
  });

  // Commands are run by docs-commands.test.ts.
  const all = blocks.filter(({ path, language }) => pageOf(path) !== undefined && language !== 'sh');
  const isProgram = ({ words }: Block) => words.includes('program');
  // The example of WEFT0042 takes a second, until it has half a gigabyte.
  const examples = all.filter((block) => !isProgram(block) && (isEveryCase || pageOf(block.path) !== 'WEFT0042'));

  it.each(named(all.filter(isProgram)))('%s gives its code, or is fixed', (_name, block) => {
    const run = () => runProgram(block.text);
    if (block.words.includes('error')) expect(run).toThrow(pageOf(block.path));
    else expect(run).not.toThrow();
  });

  it.each(named(examples.filter(({ words }) => words.includes('error'))))('%s gives its code', async (_name, block) => {
    const code = pageOf(block.path) ?? '';
    const found = await compile(block);
    expect(found.map((diagnostic) => diagnostic.code)).toContain(code);
    // Documents that cannot be parsed often have wrong types as well; all other examples have one problem.
    if (code >= 'WEFT0100') expect(shown(errorsOf(found).filter((other) => other.code !== code))).toBe('');
  });

  it.each(named(examples.filter(({ words }) => words.includes('fixed'))))('%s is fixed', async (_name, block) => {
    const code = pageOf(block.path);
    const found = await compile(block);
    expect(shown(found.filter(({ severity, ...other }) => severity === 'error' || other.code === code))).toBe('');
  });
});

describe('README', () => {
  it('shows the files that are committed', () => {
    const { text } = projectReadme(readFile);
    expect(readFile('README.md')).toBe(text);
    expect(text).toContain(readFile('clusters/quickstart/network.yaml').trimEnd());
    expect(text.match(/<!-- file: /g)).toHaveLength(2);
  });

  it('has each command in its table', () => {
    const inTable = [...readFile('README.md').matchAll(/^\| `weft (\w+)` \|/gm)].map(([, name]) => name);
    expect(inTable.sort()).toEqual([...COMMANDS.keys()].filter((name) => !name.includes(' ')).sort());
  });
});

describe('programs', () => {
  it.each(named(blocks.filter(({ path, words }) => words.includes('program') && !path.startsWith('docs/errors/'))))(
    '%s runs',
    (_name, block) => {
      const output = mkdtempSync(join(tmpdir(), 'weft-docs-'));
      const before = process.env['CDK8S_OUTDIR'];
      process.env['CDK8S_OUTDIR'] = output;
      try {
        runProgram(block.text);
        const written = readdirSync(output).map((name) => readFileSync(join(output, name), 'utf8'));
        expect(written.join('\n')).toMatch(
          /kind: DaemonSet\nmetadata:\n(.*\n)*? {2}name: mofed-ubuntu24\.04-d57dd4984-ds/,
        );
      } finally {
        if (before === undefined) delete process.env['CDK8S_OUTDIR'];
        else process.env['CDK8S_OUTDIR'] = before;
        rmSync(output, { recursive: true });
      }
    },
  );

  it('are found', () => {
    expect(blocks.some(({ words }) => words.includes('program'))).toBe(true);
  });
});

/** Runs the program as CommonJS, so that it gets the modules that are under test. */
function runProgram(source: string): void {
  const { code } = transformSync(source, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  const modules: Readonly<Record<string, unknown>> = {
    cdk8s,
    'cdk8s-plus-28': kplus,
    'weft-gitops': weft,
  };
  const load = (name: string) => {
    if (!Object.hasOwn(modules, name)) throw new Error(`the program imports ${name}`);
    return modules[name];
  };
  // The program is from a page of this repository, and the test has to run it.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call
  new Function('require', 'exports', code)(load, {});
}

describe('links', () => {
  const withoutCode = (text: string) => text.replace(/^(```+)[^]*?^\1$/gm, '').replace(/`[^`\n]*`/g, 'code');
  /** The targets of the links of a page, except those to the web. */
  const targetsOf = (text: string) =>
    [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^https?:/.test(target));
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
  const anchorsOf = (path: string) =>
    [
      ...readFile(path)
        .replace(/^(```+)[^]*?^\1$/gm, '')
        .matchAll(/^#+ (.*)$/gm),
    ].map(([, heading = '']) => slug(heading));

  it.each(pages.map(({ path, text }) => [path, text] as const))('%s has no dead link', (path, text) => {
    const dead = targetsOf(text).filter((target) => {
      const [file = '', anchor] = target.split('#');
      const place = file === '' ? path : normalize(join(dirname(path), file));
      if (!statSync(join(root, place), { throwIfNoEntry: false })) return true;
      return anchor !== undefined && !anchorsOf(place).includes(anchor);
    });
    expect(dead).toEqual([]);
  });

  // npm takes more than a second to list them.
  (isEveryCase ? it : it.skip)('lead to files that are in the package', () => {
    const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [{ files } = { files: [] }] = JSON.parse(listed) as { files: { path: string }[] }[];
    const packed = files.map(({ path }) => path);
    const isPacked = (place: string) => packed.some((path) => path === place || path.startsWith(`${place}/`));
    const shipped = pages.filter(({ path }) => isPacked(path));
    // Pages for contributors are only in the repository.
    const isOfContributors = (path: string) =>
      /^(?:(?:AGENTS|ARCHITECTURE|CONTRIBUTING|STYLE)\.md$|docs\/adr(?:\/|$))/.test(path);
    const ofUsers = pages.map(({ path }) => path).filter((path) => !isOfContributors(path));
    expect(shipped.map(({ path }) => path)).toEqual(ofUsers);
    const dead = shipped.flatMap(({ path, text }) =>
      targetsOf(text)
        .map((target) => target.split('#')[0] ?? '')
        .filter((file) => file !== '')
        .map((file) => normalize(join(dirname(path), file)).replace(/\/$/, ''))
        .filter((file) => !isPacked(file) && !(path === 'README.md' && isOfContributors(file)))
        .map((file) => `${path}: ${file}`),
    );
    expect(dead).toEqual([]);
  });

  it('reaches every page of the guide and the reference from the README', () => {
    const linked = readFile('README.md');
    const pagesToFind = [
      ...markdownIn('docs/guide'),
      ...readdirSync(join(root, 'docs/reference')).map((name) => `docs/reference/${name}`),
    ];
    expect(pagesToFind.filter((path) => !linked.includes(`(${path}`))).toEqual([]);
  });
});

describe('pages about the tests', () => {
  /** The names in the first columns of a page's tables. */
  const namedIn = (page: string) =>
    [...readFile(page).matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    );
  const entries = (folder: string) =>
    readdirSync(join(root, folder), { withFileTypes: true }).map((one) =>
      one.isDirectory() ? `${one.name}/` : one.name,
    );
  const variables = (names: readonly string[]) => names.filter((name) => name.startsWith('WEFT_'));

  it('name each file and folder of test/, and nothing else', () => {
    const paths = namedIn('test/README.md').filter((name) => !name.startsWith('WEFT_'));
    expect(paths.sort()).toEqual(
      entries('test')
        .filter((name) => name !== 'README.md' && !name.startsWith('.'))
        .sort(),
    );
  });

  it('name each variable that a test reads, and no other', () => {
    const READS = /(?:process\.env(?:\.|\[')|setting\(')(WEFT_\w+)/g;
    const code = listFiles('test').filter((path) => /^(?!cluster\/\.cache\/).*\.(?:ts|mjs)$/.test(path));
    const read = code.flatMap((path) => [...readFile(`test/${path}`).matchAll(READS)].map(([, name = '']) => name));
    const listed = variables(namedIn('test/README.md')).map((name) => name.replace(/=.*/, ''));
    expect(new Set(listed)).toEqual(new Set(read));
  });

  it('name each test of a real control plane', () => {
    const tests = listFiles('test/cluster').filter((path) => path.endsWith('.test.ts'));
    const listed = namedIn('test/cluster/README.md').filter((name) => /^[^*].*\.test\.ts$/.test(name));
    expect(listed.sort()).toEqual(tests);
  });

  it('name only files that exist', () => {
    const readmes = listFiles('test').filter((path) => /^[^/]+\/README\.md$|^README\.md$/.test(path));
    const dead = readmes.flatMap((page) =>
      [...readFile(`test/${page}`).matchAll(/`((?:[\w-]+\/)+[\w.-]+\.(?:ts|mjs|cjs|md|yaml))`/g)]
        .map(([, path = '']) => path)
        .filter((path) => ![join('test', dirname(page), path), path].some((one) => existsSync(join(root, one))))
        .map((path) => `${page}: ${path}`),
    );
    expect(dead).toEqual([]);
  });
});

it('SECURITY.md names tests that exist, one for each sentence of its tables', () => {
  const rows = readFile('SECURITY.md')
    .split('\n')
    .filter((line) => /^\| (?!what holds|---)/.test(line))
    .map((line) => line.split('|')[2] ?? '');
  expect(rows.length).toBeGreaterThan(15);
  const dead = rows.flatMap((tests) => {
    const paths = [...tests.matchAll(/`((?:src|test)\/[^`]+)`/g)].map(([, path = '']) => path);
    return paths.length > 0 ? paths.filter((path) => !existsSync(join(root, path))) : [tests];
  });
  expect(dead).toEqual([]);
});

describe('option tables', () => {
  const cases = [
    {
      name: 'a default, a required field, a list and a map',
      schema: z.strictObject({
        mode: z.enum(['a', 'b']).default('a').describe('Mode.'),
        names: z.array(z.string()).describe('Names.'),
        labels: z.record(z.string(), z.string()).optional().describe('Labels.'),
      }),
      expected: ['x.mode `a`, `b` "a"', 'x.names list: text required', 'x.labels map: text'],
    },
    {
      name: 'a mapping in a list, and one that may be text instead',
      schema: z.strictObject({
        list: z
          .array(z.strictObject({ inner: z.int().optional().describe('Inner.') }))
          .optional()
          .describe('List.'),
        either: z
          .union([z.string(), z.strictObject({ key: z.boolean().optional().describe('Key.') })])
          .optional()
          .describe('Either.'),
      }),
      expected: [
        'x.list list: mapping',
        'x.list[].inner whole number',
        'x.either text or mapping',
        'x.either.key boolean',
      ],
    },
  ];

  it.each(cases)('$name', ({ schema, expected }) => {
    const { rows } = optionRows(schema, 'x');
    const lines = rows.map(({ path, type, isRequired, default: value }) =>
      [path, type, ...(isRequired ? ['required'] : []), ...(value === undefined ? [] : [value])].join(' '),
    );
    expect(lines).toEqual(expected);
  });

  it('names a field that is not described', () => {
    expect(() => optionRows(z.strictObject({ mtu: z.int() }), 'spec')).toThrow('`spec.mtu` has no description');
  });
});

import type { Command } from 'commander';
import { fieldPaths } from '../../compile/config/find-fields.js';
import { documentKinds } from '../../compile/config/kinds/kinds.js';
import { codes } from '../../shared/diagnostics/codes.js';

const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** A command in completion scripts. */
interface Completable {
  readonly name: string;
  readonly summary: string;
  /** Values of its argument; empty when the argument is a folder. */
  readonly words: readonly string[];
  readonly options: readonly {
    readonly flags: readonly string[];
    readonly text: string;
    readonly choices: readonly string[];
    /** Whether its value is a path of a folder. */
    readonly isFolder: boolean;
  }[];
}

function completables(program: Command): readonly Completable[] {
  const names = program.commands.map((command) => command.name());
  const words: Readonly<Record<string, readonly string[]>> = {
    schema: documentKinds.map(({ kind }) => kind),
    explain: [...Object.keys(codes), ...documentKinds.map(({ kind }) => kind)],
    completion: shells,
  };
  const commands = program.commands.map((command) => ({
    name: command.name(),
    summary: command.summary(),
    words: words[command.name()] ?? command.commands.map((inner) => inner.name()),
    options: [command, ...command.commands]
      .flatMap((each) => each.createHelp().visibleOptions(each))
      .filter(({ long }, index, all) => all.findIndex((other) => other.long === long) === index)
      .map(({ short, long, description, argChoices, required }) => ({
        flags: [short, long].filter((flag) => flag !== undefined),
        text: description,
        choices: argChoices ?? [],
        isFolder: required && argChoices === undefined,
      })),
  }));
  return [...commands, { name: 'help', summary: 'help for a command', words: names, options: [] }];
}

/** The script by which a shell completes `weft`: commands, options, values from lists, revisions and folders. */
export function completionScript(program: Command, shell: Shell): string {
  const commands = completables(program);
  switch (shell) {
    case 'bash':
      return bashScript(commands);
    case 'zsh':
      return zshScript(commands);
    case 'fish':
      return fishScript(commands);
  }
}

/** Commands that take the name of a cluster, which is that of its folder in `clusters/`. */
const TAKES_CLUSTER: readonly string[] = ['plan', 'status'];

/** Names of the folders of `clusters/`, which is in the working directory or above it: a line each, in any shell. */
const CLUSTERS =
  'sh -c \'while [ ! -d clusters ] && [ "$PWD" != / ]; do cd ..; done; cd clusters && for name in */; do [ -d "$name" ] && echo "${name%/}"; done\' 2>/dev/null';

/** As deep as the fields that Weft explains itself; below are mostly those of Kubernetes. */
const DEPTH_MAX = 4;
const shownFields = (): readonly string[] => fieldPaths().filter((path) => path.split('.').length <= DEPTH_MAX);

/** Branches and tags, a line each. */
const REVISIONS = "git -c safe.bareRepository=explicit for-each-ref --format='%(refname:short)' 2>/dev/null";

const flagsOf = ({ options }: Completable) => options.flatMap(({ flags }) => flags).join(' ');

function bashScript(commands: readonly Completable[]): string {
  const values = commands.flatMap(({ name, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(
        ({ flags, choices }) =>
          `    ${flags.map((flag) => `${name}:${flag}`).join('|')}) COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$word")); return ;;`,
      ),
  );
  return [
    '# weft completion for bash: source <(weft completion bash)',
    '_weft() {',
    '  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}',
    '  COMPREPLY=()',
    // Bash splits `--format=js` into three words.
    '  if [ "$word" = = ]; then word=; elif [ "$previous" = = ]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')} --help --version' -- "$word")); return`,
    '  fi',
    '  case "$command:$previous" in',
    ...values,
    '  esac',
    '  case "$command:$word" in',
    ...commands.map(
      (command) => `    ${command.name}:-*) COMPREPLY=($(compgen -W '${flagsOf(command)}' -- "$word")); return ;;`,
    ),
    ...commands.flatMap(({ name, words }) =>
      words.length > 0
        ? [
            `    ${name}:*) COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$word"))${name === 'explain' ? ' || :; _weft_fields' : ''}; return ;;`,
          ]
        : [],
    ),
    '  esac',
    "  local IFS=$'\\n'",
    '  COMPREPLY=($(compgen -d -- "$word")) || :',
    '  case "$command:$previous" in',
    `    diff:--*|${TAKES_CLUSTER.map((name) => `${name}:--*`).join('|')}) ;;`,
    `    diff:*) _weft_names < <(${REVISIONS}) ;;`,
    `    ${TAKES_CLUSTER.map((name) => `${name}:*`).join('|')}) _weft_names < <(${CLUSTERS}) ;;`,
    '  esac',
    '}',
    // `compgen -W` would run what a name has in `$(…)`: names are compared here, and those with such characters left out.
    '_weft_names() {',
    "  local name plain='^[A-Za-z0-9._/+@-]+$'",
    '  while IFS= read -r name; do',
    '    if [[ $name == "$word"* && $name =~ $plain ]]; then COMPREPLY+=("$name"); fi',
    '  done',
    '}',
    // One step of a path at a time.
    '_weft_fields() {',
    '  local field rest',
    `  for field in ${shownFields().join(' ')}; do`,
    '    rest=${field#"$word"}',
    '    if [[ $field == "$word"* && ${rest#.} != *.* ]]; then COMPREPLY+=("$field"); fi',
    '  done',
    '}',
    'complete -o filenames -F _weft weft',
    // Bash completes by the first word, which is `npx` where Weft is a dependency of the project.
    '_weft_by_npx() {',
    '  COMPREPLY=()',
    '  if [ "${COMP_WORDS[1]}" = weft ] && [ "$COMP_CWORD" -gt 1 ]; then',
    '    COMP_WORDS=("${COMP_WORDS[@]:1}"); COMP_CWORD=$((COMP_CWORD - 1)); _weft',
    '  fi',
    '}',
    'complete -o default -F _weft_by_npx npx',
    '',
  ].join('\n');
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const zshText = (text: string) => text.replace(/[[\]:]/g, '\\$&');

function zshScript(commands: readonly Completable[]): string {
  const valueOf = ({ choices, isFolder }: Completable['options'][number]) =>
    choices.length > 0 ? `:value:(${choices.join(' ')})` : isFolder ? ':folder:_files -/' : '';
  const optionLine = (option: Completable['options'][number]) =>
    option.flags.map((flag) => quoted(`${flag}[${zshText(option.text)}]${valueOf(option)}`)).join(' ');
  const argumentLine = ({ name, words }: Completable) => {
    if (name === 'explain') return "'*:code or field:_weft_explained'";
    if (name === 'diff') return "'*:revision or folder:_weft_old'";
    if (TAKES_CLUSTER.includes(name)) return "'*:cluster or folder:_weft_clusters'";
    return words.length > 0 ? quoted(`*:value:(${words.join(' ')})`) : "'*:folder:_files -/'";
  };
  const explained = commands.find(({ name }) => name === 'explain')?.words ?? [];
  return [
    '#compdef weft npx',
    '# weft completion for zsh: weft completion zsh > "${fpath[1]}/_weft"',
    `_weft_old() { local -a revisions=(\${(f)"$(${REVISIONS})"}); compadd -a revisions; _files -/ }`,
    `_weft_clusters() { local -a names=(\${(f)"$(${CLUSTERS})"}); compadd -a names; _files -/ }`,
    `_weft_explained() { compadd ${explained.join(' ')}; local -a fields=(${shownFields().join(' ')}); _multi_parts . fields }`,
    '_weft() {',
    // zsh completes by the first word, which is `npx` where Weft is a dependency of the project.
    '  if [[ $service == npx ]]; then',
    '    if [[ $words[2] != weft ]] || (( CURRENT == 2 )); then _default; return; fi',
    '    shift words; (( CURRENT-- ))',
    '  fi',
    '  if (( CURRENT == 2 )); then',
    `    local -a commands=(${commands.map(({ name, summary }) => quoted(`${name}:${zshText(summary)}`)).join(' ')})`,
    "    _describe 'command' commands; return",
    '  fi',
    '  case $words[2] in',
    ...commands.map(
      (command) =>
        `    ${command.name}) _arguments '1:command:' ${command.options.map(optionLine).join(' ')} ${argumentLine(command)} ;;`,
    ),
    '  esac',
    '}',
    // The file of the function `_weft`, or a script that was sourced.
    'if [[ $funcstack[1] == _weft ]]; then _weft "$@"; else compdef _weft weft npx; fi',
    '',
  ].join('\n');
}

/** fish completes by the first word, too: what follows `npx weft` is completed as a command line of `weft`. */
const FISH_BY_NPX = [
  'function __weft_is_npx',
  '    set -l words (commandline -opc)',
  '    test (count $words) -gt 1; and test "$words[2]" = weft',
  'end',
  'function __weft_by_npx',
  '    set -l words (commandline -opc)',
  '    complete -C (string join " " -- (string escape -- $words[2..-1]) (commandline -ct))',
  'end',
  "complete -c npx -n __weft_is_npx -f -a '(__weft_by_npx)'",
];

function fishScript(commands: readonly Completable[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const lines = commands.flatMap(({ name, summary, options, words }) => [
    `complete -c weft -n "not __fish_seen_subcommand_from ${names}" -f -a ${name} -d ${quoted(summary)}`,
    ...(words.length > 0
      ? [
          `complete -c weft -n "__fish_seen_subcommand_from ${name}" -f -a ${quoted([...words, ...(name === 'explain' ? shownFields() : [])].join(' '))}`,
        ]
      : []),
    ...(TAKES_CLUSTER.includes(name)
      ? [`complete -c weft -n "__fish_seen_subcommand_from ${name}" -a ${quoted(`(${CLUSTERS})`)}`]
      : []),
    ...(name === 'diff'
      ? [`complete -c weft -n "__fish_seen_subcommand_from diff" -a ${quoted(`(${REVISIONS})`)}`]
      : []),
    ...options.map(({ flags, text, choices, isFolder }) => {
      const [short, long] = [flags.find((flag) => !flag.startsWith('--')), flags.find((flag) => flag.startsWith('--'))];
      return [
        `complete -c weft -n "__fish_seen_subcommand_from ${name}"`,
        ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
        ...(long === undefined ? [] : [`-l ${long.slice(2)}`]),
        ...(choices.length > 0 ? [`-x -a ${quoted(choices.join(' '))}`] : isFolder ? ['-r'] : []),
        `-d ${quoted(text)}`,
      ].join(' ');
    }),
  ]);
  return [
    '# weft completion for fish: weft completion fish > ~/.config/fish/conf.d/weft.fish',
    ...lines,
    ...FISH_BY_NPX,
    '',
  ].join('\n');
}

/** What git forbids in the name of a branch or tag: git 2.47, `git help check-ref-format`. */
const FORBIDDEN_IN_REF = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\//;

/** The problem of a name of a branch, a tag or a commit; `undefined` if git allows it. */
export function revisionProblem(text: string): string | undefined {
  if (text === '') return 'must not be empty';
  const [forbidden] = FORBIDDEN_IN_REF.exec(text) ?? [];
  if (forbidden !== undefined) return `git allows no ${JSON.stringify(forbidden)} in the name of a branch or tag`;
  if (text === '@' || text.startsWith('-')) return 'git takes this for no branch, tag or commit';
  if (/^\/|[/.]$/.test(text)) return 'the name of a branch or tag neither begins with `/` nor ends with `/` or `.`';
  const part = text.split('/').find((one) => one.startsWith('.') || one.endsWith('.lock'));
  return part === undefined
    ? undefined
    : `no part of a name may begin with \`.\` or end with \`.lock\`, as \`${part}\` does`;
}

const SCP_FORM = /^[\w.-]+@[\w.-]+:(?!\/\/)[^\s:][^\s]*$/;

/**
 * The problem of the address of a repository; `undefined` if a controller can fetch it.
 *
 * @param schemes those that the controller takes, such as `https`
 * @param hasScpForm whether it takes `git@host:path` as well
 */
export function repositoryProblem(
  text: string,
  { schemes, hasScpForm }: { readonly schemes: readonly string[]; readonly hasScpForm: boolean },
): string | undefined {
  if (SCP_FORM.test(text)) {
    return hasScpForm ? undefined : `write \`ssh://${text.replace(':', '/')}\``;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const expected = `must be an address that begins with ${schemes.map((one) => `\`${one}://\``).join(', ')}`;
  if (url === undefined || /[\s\\]/.test(text) || !schemes.includes(url.protocol.slice(0, -1))) return expected;
  if (url.password !== '') return 'holds a password, which would be in git: give the controller a Secret instead';
  if (url.hostname === '' || url.pathname.replaceAll('/', '') === '') return 'names no repository';
  return url.search === '' && url.hash === '' ? undefined : 'must end with the path of the repository';
}

/** The problem of a folder of a repository; `undefined` for a relative path below its root, and for `.`, the root. */
export function folderProblem(text: string): string | undefined {
  if (text === '.') return undefined;
  if (text === '') return 'must not be empty; the root of the repository is `.`';
  if (text.startsWith('/')) return 'must be relative to the root of the repository';
  if (text.endsWith('/')) return 'must not end with `/`';
  const odd = text.split('/').find((part) => part === '' || part === '.' || part === '..');
  if (odd !== undefined) return 'must not have empty parts, `.` or `..`';
  const [character] = /[^\w./-]/.exec(text) ?? [];
  return character === undefined ? undefined : `must not have ${JSON.stringify(character)}`;
}

/**
 * Texts that are secrets by their form, and what they are called. Each pattern begins with a fixed text or has a limited length, so that no text takes
 * longer than its length.
 */
const SHAPES: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'a private key', pattern: /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/ },
  { what: 'an access key of AWS', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/ },
  { what: 'a token of GitHub', pattern: /\b(?:gh[opsur]_[A-Za-z0-9]{36}|github_pat_\w{22})/ },
  { what: 'a token of GitLab', pattern: /\bglpat-[\w-]{20}/ },
  { what: 'a key of NVIDIA NGC', pattern: /\bnvapi-[\w-]{32}/ },
  { what: 'a token of Slack', pattern: /\bxox[abeprs]-[\w-]{10}/ },
  { what: 'a JSON Web Token', pattern: /\beyJ[\w-]{8,300}\.eyJ[\w-]{8}/ },
];

/** A URL with a user and a password (RFC 3986, 3.2.1). */
const URL_LOGIN = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@?#'"]{0,200}:([^\s/@?#'"]{1,200})@/gi;

/** A value that another program fills in or has encrypted, from a template, from a variable, or by SOPS; or that stands for one in an example. */
const PLACEHOLDER = /\{\{|\$\{|\$\(|^ENC\[|^<.*>$|^[*x.]+$/i;

/** What kind of secret a text has; undefined where it has none that is known by its form. */
export function secretIn(text: string): string | undefined {
  const logins = [...text.matchAll(URL_LOGIN)].map(([, password = '']) => password);
  if (logins.some((password) => !PLACEHOLDER.test(password))) return 'a URL with a password';
  return SHAPES.find(({ pattern }) => pattern.test(text))?.what;
}

const SECRET_NAME =
  /(?:^|[_.-])(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)$/i;
/** A switch, a file or a name of a Secret. */
const NO_SECRET = /^(?:|true|false|yes|no|on|off|none|null|\/.*)$/i;

/** Whether a variable or a key of a ConfigMap has a secret by its name: `NGC_API_KEY`, `db.password`. */
export function isSecretVariable(name: string, value: string): boolean {
  return (
    SECRET_NAME.test(name) &&
    !/pull[_-]?secret$/i.test(name) &&
    !NO_SECRET.test(value.trim()) &&
    !PLACEHOLDER.test(value)
  );
}

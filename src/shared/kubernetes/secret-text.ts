/** A Secret, or a list of them, in YAML or JSON. Names of other kinds begin or end otherwise: `SealedSecret`, `SecretProviderClass`. */
const SECRET = /\bkind["']?\s{0,9}:\s{0,9}["']?secret(?:s|list|slist)?["']?\s{0,9}(?:$|[\n,}#])/im;

/** Whether a text has a Secret, whose lines and values are printed nowhere. */
export function holdsSecret(text: string): boolean {
  return SECRET.test(text);
}

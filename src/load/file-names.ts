/** Names of files that hold documents. */
export function isInput(name: string): boolean {
  return /\.(yaml|yml|json|ts)$/.test(name) && !isAside(name) && !isKustomization(name);
}

/** Names of programs whose exports are documents, and which may import modules. */
export function isProgram(name: string): boolean {
  return name.endsWith('.ts') && isInput(name);
}

/** The names that kubectl takes for a kustomization (kustomize, api/konfig/general.go). */
export function isKustomization(name: string): boolean {
  return ['kustomization.yaml', 'kustomization.yml', 'Kustomization'].includes(name);
}

/** Hidden files, tests and type declarations, which are no input. */
function isAside(name: string): boolean {
  return name.startsWith('.') || /\.(d|test)\.[cm]?[jt]s$/.test(name);
}

/**
 * The name under which a file would be read, where its name says that it is meant to be; undefined for input and for all
 * other files. What a compiler wrote beside its source is not meant.
 */
export function nameToRead(name: string, names: readonly string[]): string | undefined {
  if (isAside(name) || isInput(name) || isKustomization(name)) return undefined;
  const inCapitals = /^(.+)\.(yaml|yml|json|ts)$/i.exec(name);
  if (inCapitals) return `${inCapitals[1] ?? ''}.${inCapitals[2]?.toLowerCase() ?? ''}`;
  const module = /^(.+)\.(?:[cm]ts|([cm]?)js)$/.exec(name);
  if (!module) return undefined;
  const [, stem = '', variant] = module;
  return variant !== undefined && names.includes(`${stem}.${variant}ts`) ? undefined : `${stem}.ts`;
}

/**
 * Names of files that would be input, were they not in a folder inside. JSON may be anything there: results, recordings,
 * what a program imports; and so may modules where there is a program.
 */
export function isInputBelow(name: string, { hasProgram }: { readonly hasProgram: boolean }): boolean {
  return (hasProgram ? /\.ya?ml$/i : /\.(?:ya?ml|ts)$/i).test(name) && !isAside(name) && !isKustomization(name);
}

/** Names of files that hold documents. */
export function isInput(name: string): boolean {
  return /\.(yaml|yml|json|ts)$/.test(name) && !isAside(name) && !isKustomization(name);
}

/** Names of programs that export documents and may import modules. */
export function isProgram(name: string): boolean {
  return name.endsWith('.ts') && isInput(name);
}

/** The names of a kustomization (kustomize, api/konfig/general.go). */
export function isKustomization(name: string): boolean {
  return ['kustomization.yaml', 'kustomization.yml', 'Kustomization'].includes(name);
}

/** Hidden files, tests and type declarations are not input. */
function isAside(name: string): boolean {
  return name.startsWith('.') || /\.(d|test)\.[cm]?[jt]s$/.test(name);
}

/**
 * The correct name for a file whose name suggests that it is meant as input; undefined for input and for all other
 * files. Output of a compiler next to its source is not meant as input.
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
 * Names of files in a subfolder that would be input in the folder itself. JSON does not count, because it may be data
 * of any kind; neither do modules if there is a program that may import them.
 */
export function isInputBelow(name: string, { hasProgram }: { readonly hasProgram: boolean }): boolean {
  return (hasProgram ? /\.ya?ml$/i : /\.(?:ya?ml|ts)$/i).test(name) && !isAside(name) && !isKustomization(name);
}

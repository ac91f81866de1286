/**
 * Flux substitutes `${…}` in what it applies where a Kustomization has `postBuild`, which would change the program and the dashboard.
 * kustomize-controller: `kustomize.toolkit.fluxcd.io/substitute`.
 */
export const NOT_SUBSTITUTED = { 'kustomize.toolkit.fluxcd.io/substitute': 'disabled' };

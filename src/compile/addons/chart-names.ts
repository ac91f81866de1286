import type { StringMap } from '../../shared/kubernetes/types.js';

/** The selector labels of a chart (`<chart>.selectorLabels` in its templates). */
export function selectorLabels({
  spec,
}: {
  readonly spec: { readonly nameOverride: string; readonly releaseName: string };
}): StringMap {
  return { 'app.kubernetes.io/name': spec.nameOverride, 'app.kubernetes.io/instance': spec.releaseName };
}

/** The name of an object of a chart (`<chart>.fullname` in its templates). */
export function fullName({ spec }: { readonly spec: { readonly fullnameOverride: string } }, suffix = ''): string {
  return `${spec.fullnameOverride}${suffix}`;
}

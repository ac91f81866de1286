/** Layouts that need no settings of the Cluster document. */
export const layoutNames = ['plain', 'helm'] as const;
export type LayoutName = (typeof layoutNames)[number];

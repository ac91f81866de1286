import type { Construct } from 'constructs';
import type { AnyAddOn } from '../../addons/add-on.js';
import { allAddOns } from '../../addons/all.js';
import { allComponents } from '../../components/all.js';
import type { AnyComponent } from '../../components/component.js';
import type { PathStep } from '../../../shared/diagnostics/diagnostic.js';
import { isObject, valueAt } from '../../../shared/lib/json.js';
import type { SourceDocument } from '../../load/yaml/yaml.js';
import type { AddOnPart, SectionPart } from '../../model/cluster-scope.js';

/** The component of a construct. */
export function componentOf({ componentId }: SectionPart): AnyComponent {
  const component = allComponents.find(({ id }) => id === componentId);
  if (!component) throw new Error(`there is no component ${componentId}`);
  return component;
}

/** The add-on of a construct. */
export function addOnOf({ addOnId }: AddOnPart): AnyAddOn {
  const addOn = allAddOns.find(({ id }) => id === addOnId);
  if (!addOn) throw new Error(`there is no add-on ${addOnId}`);
  return addOn;
}

/** The path of a construct's section below the `spec` of its document, the NicClusterPolicy or the Cluster. */
export function pathOf(part: SectionPart | AddOnPart): readonly string[] {
  return (part.kind === 'section' ? componentOf(part) : addOnOf(part)).source.path;
}

/** A document with the sections that constructs stand for; diagnostics about a section are located at its construct. */
export function withSections(
  document: SourceDocument,
  sections: readonly { readonly construct: Construct; readonly path: readonly string[]; readonly values: object }[],
): SourceDocument {
  if (sections.length === 0) return document;
  const { file, value } = document;
  const spec = sections.reduce<unknown>(
    (before, { path, values }) => setAt(before, path, values),
    valueAt(value, ['spec']),
  );
  const owner = (path: readonly PathStep[]) => sections.find((one) => begins(path, ['spec', ...one.path]));
  return {
    file,
    value: { ...(value as object), spec },
    locate(path, ...others) {
      const own = owner(path);
      return own ? { file: own.construct.node.path } : document.locate(path, ...others);
    },
  };
}

function begins(path: readonly PathStep[], start: readonly string[]): boolean {
  return start.every((step, index) => path[index] === step);
}

/** A copy of a value with another value at a path. */
export function setAt(value: unknown, [key, ...rest]: readonly string[], inner: unknown): unknown {
  if (key === undefined) return inner;
  const object = isObject(value) ? value : {};
  return { ...object, [key]: setAt(object[key], rest, inner) };
}

/** One requirement of a label selector. */
interface Requirement {
  readonly key: string;
  readonly operator: 'in' | 'notin' | 'exists' | 'absent' | 'above' | 'below';
  /** A set, because somebody else may have written thousands. */
  readonly values: ReadonlySet<string>;
}

/** Requirements that must all hold; none at all matches everything. */
export type Selector = readonly Requirement[];

type ParsedSelector = { readonly selector: Selector } | { readonly error: string };

/** A label selector in objects of the Kubernetes API. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  readonly matchExpressions?:
    | readonly {
        readonly key: string;
        readonly operator: string;
        readonly values?: readonly string[] | undefined;
      }[]
    | undefined;
}

const NO_VALUES: ReadonlySet<string> = new Set();

const KEY = /^(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9](?:[-\w.]{0,61}[A-Za-z0-9])?$/;
const VALUE = /^(?:[A-Za-z0-9](?:[-\w.]{0,61}[A-Za-z0-9])?)?$/;
const SET_BASED = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/;
const COMPARED = /^([^\s=!<>]+)\s*(==|=|!=|>|<)\s*(\S*)$/;

/**
 * Reads a selector in the syntax of `kubectl -l`: `a=b`, `a==b`, `a!=b`, `a in (b,c)`, `a notin (b)`, `a`, `!a`, `a>1`,
 * `a<1`, joined by commas. The grammar is that of Kubernetes' `k8s.io/apimachinery/pkg/labels`. Empty text matches
 * everything.
 */
export function parseSelector(text: string): ParsedSelector {
  const selector: Requirement[] = [];
  for (const part of splitAtCommas(text)) {
    const requirement = parseRequirement(part.trim());
    if (typeof requirement === 'string') return { error: requirement };
    selector.push(requirement);
  }
  return { selector };
}

/** Parses text that was checked before. Throws an Error when it is not valid. */
export function selectorOf(text: string): Selector {
  const parsed = parseSelector(text);
  if ('error' in parsed) throw new Error(`bad label selector: ${parsed.error}`);
  return parsed.selector;
}

/** Converts a structured selector to requirements; an unknown operator gives a requirement that is never met. */
export function fromStructured(from: LabelSelector): Selector {
  const labels = Object.entries(from.matchLabels ?? {}).map(([key, value]) => equals(key, value));
  const expressions = (from.matchExpressions ?? []).map(({ key, operator, values: listed = [] }): Requirement => {
    const values = new Set(listed);
    switch (operator) {
      case 'In':
        return { key, operator: 'in', values };
      case 'NotIn':
        return { key, operator: 'notin', values };
      case 'Exists':
        return { key, operator: 'exists', values: NO_VALUES };
      case 'DoesNotExist':
        return { key, operator: 'absent', values: NO_VALUES };
      case 'Gt':
        return { key, operator: 'above', values };
      case 'Lt':
        return { key, operator: 'below', values };
      default:
        return { key, operator: 'in', values: NO_VALUES };
    }
  });
  return [...labels, ...expressions];
}

const read = new WeakMap<LabelSelector, Selector>();

/** The same, converted once for each object: for a selector of somebody else, who may have written thousands of values, that many pods are asked about. */
export function readOnce(from: LabelSelector): Selector {
  const selector = read.get(from) ?? fromStructured(from);
  read.set(from, selector);
  return selector;
}

/**
 * A structured selector in the syntax of `kubectl -l`. What the API refuses gives text that `parseSelector` refuses: an unknown operator, and
 * one with values that it must not have, or without those that it needs.
 */
export function textOfStructured(from: LabelSelector): string {
  const labels = Object.entries(from.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const expressions = (from.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
    if (values.length > 0) return `${key} ${operator.toLowerCase()} (${values.join()})`;
    switch (operator) {
      case 'Exists':
        return key;
      case 'DoesNotExist':
        return `!${key}`;
      default:
        return `${key} ${operator.toLowerCase()}`;
    }
  });
  return [...labels, ...expressions].join();
}

/** The value of a label. `constructor` is a label key like any other. */
export function labelValue(labels: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

export function matchesSelector(selector: Selector, labels: Readonly<Record<string, string>>): boolean {
  for (const requirement of selector) if (!meets(requirement, labelValue(labels, requirement.key))) return false;
  return true;
}

function meets({ operator, values }: Requirement, value: string | undefined): boolean {
  switch (operator) {
    case 'in':
      return value !== undefined && values.has(value);
    case 'notin':
      return value === undefined || !values.has(value);
    case 'exists':
      return value !== undefined;
    case 'absent':
      return value === undefined;
    case 'above':
      return isInteger(value) && Number(value) > firstOf(values);
    case 'below':
      return isInteger(value) && Number(value) < firstOf(values);
  }
}

function firstOf([value]: ReadonlySet<string>): number {
  return Number(value);
}

function isInteger(value: string | undefined): boolean {
  return value !== undefined && /^[-+]?\d+$/.test(value);
}

function equals(key: string, value: string): Requirement {
  return { key, operator: 'in', values: new Set([value]) };
}

/** Splits at the commas that are not between parentheses. */
function splitAtCommas(text: string): string[] {
  if (text.trim() === '') return [];
  const parts: string[] = [];
  let isInside = false;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '(' || character === ')') isInside = character === '(';
    if (character !== ',' || isInside) continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)];
}

function parseRequirement(text: string): Requirement | string {
  const set = SET_BASED.exec(text);
  if (set !== null) {
    const [, key = '', operator, list = ''] = set;
    const values = new Set(list.split(',').map((value) => value.trim()));
    return checked({ key, operator: operator === 'in' ? 'in' : 'notin', values }, text);
  }
  const compared = COMPARED.exec(text);
  if (compared !== null) {
    const [, key = '', sign, value = ''] = compared;
    if (sign === '!=') return checked({ key, operator: 'notin', values: new Set([value]) }, text);
    if (sign === '>' || sign === '<') {
      if (!isInteger(value)) return `\`${text}\` compares with something that is no integer`;
      return checked({ key, operator: sign === '>' ? 'above' : 'below', values: new Set([value]) }, text);
    }
    return checked(equals(key, value), text);
  }
  if (text.startsWith('!')) return checked({ key: text.slice(1).trim(), operator: 'absent', values: NO_VALUES }, text);
  return checked({ key: text, operator: 'exists', values: NO_VALUES }, text);
}

function checked(requirement: Requirement, text: string): Requirement | string {
  if (/\s/.test(requirement.key)) return `\`${text}\` is neither a label key nor a requirement`;
  if (!KEY.test(requirement.key)) return `\`${text}\` has no valid label key`;
  const bad = [...requirement.values].find((value) => !VALUE.test(value) && !isInteger(value));
  return bad === undefined ? requirement : `\`${bad}\` in \`${text}\` is no valid label value`;
}

/** One step from a value to a value inside it. */
export type FieldStep =
  | { readonly kind: 'key'; readonly key: string }
  /** A member of a list that is identified by a key, such as a container's name. */
  | { readonly kind: 'item'; readonly key: string }
  | { readonly kind: 'index'; readonly index: number }
  /** From a string to its JSON data. */
  | { readonly kind: 'json' };

/** Keys that can follow a dot. Others, such as those of labels, are written in brackets and quotes. */
const PLAIN_KEY = /^[A-Za-z_][\w-]*$/;
/** Keys of list members that cannot be mistaken for an index or for the end of the bracket. */
const PLAIN_ITEM = /^(?!\d+$)[\w./:-]+$/;

/** A path as text: `spec.template.spec.containers[main].image`, `data["config.json"]<json>.plugins[0]`. */
export function pathText(path: readonly FieldStep[]): string {
  return path.map(stepText).join('');
}

function stepText(step: FieldStep, position: number): string {
  switch (step.kind) {
    case 'key':
      if (!PLAIN_KEY.test(step.key)) return `[${JSON.stringify(step.key)}]`;
      return position === 0 ? step.key : `.${step.key}`;
    case 'item':
      return PLAIN_ITEM.test(step.key) ? `[${step.key}]` : `[${JSON.stringify(step.key)}]`;
    case 'index':
      return `[${step.index}]`;
    case 'json':
      return '<json>';
  }
}

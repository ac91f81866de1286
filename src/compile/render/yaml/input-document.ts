import { Document, isMap, isNode, isScalar, type Scalar, type ScalarTag } from 'yaml';
import { escapeLine } from '../../../shared/lib/escape.js';
import type { JsonValue } from '../../../shared/lib/json.js';
import { singleLineText } from './scalar.js';
import { literalBlock } from './yaml.js';

/** A comment on the line above an entry. */
export interface Comment {
  /** Keys of mappings and indexes of lists. */
  readonly path: readonly [string | number, ...(string | number)[]];
  /**
   * Written on one line, whatever it has of others: a second line could be a comment that silences a warning. Begins with our own words.
   */
  readonly text: string;
}

/** Writes strings as generated files have them, so that YAML 1.1 and 1.2 read the same. */
const STRING: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  identify: (value) => typeof value === 'string',
  resolve: (text) => text,
  stringify: ({ value }, { implicitKey, indent }) => {
    const text = String(value);
    return (implicitKey ? undefined : literalBlock(text, indent === '' ? '  ' : indent)) ?? singleLineText(text);
  },
};

/**
 * The text of an input document that people go on to edit: keys in the order of the value, and comments. Generated objects
 * are written by `toYaml`, in an order that does not depend on their construction.
 *
 * @throws Error for a comment on an entry that does not exist: a bug of the caller
 */
export function toInputYaml(value: JsonValue, comments: readonly Comment[] = []): string {
  const document = new Document(value, {
    // A value that is there twice is written twice: people edit one of them.
    aliasDuplicateObjects: false,
    customTags: (tags) => [...tags.filter((one) => typeof one === 'string' || one.tag !== STRING.tag), STRING],
  });
  for (const { path, text } of comments) {
    const node = commented(document, path);
    if (node === undefined) throw new Error(`a comment on nothing, at ${path.join('.')}`);
    const line = ` ${escapeLine(text)}`;
    node.commentBefore = node.commentBefore ? `${node.commentBefore}\n${line}` : line;
  }
  return document.toString({ lineWidth: 0 });
}

/** The node whose first line is that of the entry: the key in a mapping, the item in a list. */
function commented(document: Document, path: Comment['path']): { commentBefore?: string | null } | undefined {
  const last = path.at(-1);
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (isMap(parent)) {
    return parent.items.map(({ key }) => key).find((key): key is Scalar => isScalar(key) && key.value === last);
  }
  const item = document.getIn(path, true);
  return isNode(item) ? item : undefined;
}

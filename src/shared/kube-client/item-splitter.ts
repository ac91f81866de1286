/** Splits the text of a List into its items as it arrives, so that at most one item is in memory. */
interface ItemSplitter {
  /** Returns how many bytes are in memory. */
  readonly write: (chunk: Buffer) => number;
  /** The text without its items. */
  readonly rest: () => string;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LIST_DEPTH = 1;
const ITEM_DEPTH = 2;

/**
 * `items` is the only list at the top level of a List (`meta/v1`: the other fields are `kind`, `apiVersion` and `metadata`), so a list
 * at that depth is `items`.
 */
export function createItemSplitter(onItem: (text: string) => void): ItemSplitter {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let isInItems = false;
  /** The parts of the current item in earlier chunks. */
  let item: Buffer[] = [];
  const rest: Buffer[] = [];
  let restBytes = 0;
  let itemBytes = 0;

  function keepRest(part: Buffer): void {
    rest.push(Buffer.from(part));
    restBytes += part.length;
  }

  function write(chunk: Buffer): number {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInString = false;
      } else if (byte === QUOTE) {
        isInString = true;
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (isInItems && depth === ITEM_DEPTH) from = at;
        if (byte === OPEN_LIST && depth === LIST_DEPTH) {
          isInItems = true;
          keepRest(chunk.subarray(from, at + 1));
        }
        depth++;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        depth--;
        if (isInItems && depth === ITEM_DEPTH) {
          item.push(chunk.subarray(from, at + 1));
          onItem((item.length === 1 && item[0] !== undefined ? item[0] : Buffer.concat(item)).toString('utf8'));
          item = [];
          itemBytes = 0;
        } else if (isInItems && depth === LIST_DEPTH) {
          isInItems = false;
          from = at;
        }
      }
    }
    // Copied, because the memory of the chunk may be used again.
    if (isInItems) {
      if (depth > ITEM_DEPTH) {
        item.push(Buffer.from(chunk.subarray(from)));
        itemBytes += chunk.length - from;
      }
    } else {
      keepRest(chunk.subarray(from));
    }
    return itemBytes + restBytes;
  }
  return { write, rest: () => Buffer.concat(rest).toString('utf8') };
}

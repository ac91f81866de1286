/** Characters without width: combining marks, joiners and variation selectors. */
const ZERO_WIDTH = /[\p{Mn}\p{Me}\u200c\u200d\ufe00-\ufe0f]/u;

/** Characters of two columns: East Asian Width W and F of Unicode, as blocks, and emoji. */
const DOUBLE_WIDTH =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** Columns of a text in a terminal; escapes and tabs must be replaced before. */
export function widthOf(text: string): number {
  if (/^[\x00-\x7f]*$/.test(text)) return text.length;
  return Array.from(text).reduce((sum, character) => sum + characterWidth(character), 0);
}

function characterWidth(character: string): number {
  if (ZERO_WIDTH.test(character)) return 0;
  return DOUBLE_WIDTH.test(character) ? 2 : 1;
}

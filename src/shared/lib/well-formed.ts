/** Half of a surrogate pair by itself: a string of JavaScript may hold one, UTF-8 may not. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** True for text without halves of surrogate pairs, which escapes can create. */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

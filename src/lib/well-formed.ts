/** Half of a surrogate pair by itself: a string of JavaScript may hold one, UTF-8 may not. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** True for text that every parser reads; escapes can also make text of a half of a character. */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

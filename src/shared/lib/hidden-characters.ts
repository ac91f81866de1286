/**
 * Characters that never appear as themselves, as the inside of a character class of a regular expression. They are ranges because property
 * classes such as `\p{Cf}` grow with Node's Unicode version and the bytes must not. C1 controls, NEL, the no-break space and the line separators
 * are breaks or errors to some parser; soft hyphen, zero-width characters, bidi controls and tags hide from a reviewer; lone surrogates are no UTF-8.
 */
export const HIDDEN =
  '\\u007f-\\u00a0\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202f\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff\\ufff9-\\uffff\\u{e0000}-\\u{e0fff}\\p{Cs}';

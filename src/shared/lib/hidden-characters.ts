/**
 * Characters that never appear as themselves, as the inside of a character class of a regular expression. They are ranges because property
 * classes such as `\p{Cf}` grow with Node's Unicode version and the bytes must not. C1 controls, NEL, the no-break space and the line separators
 * are breaks or errors to some parser; soft hyphen, other spaces, fillers, zero-width characters, bidi controls and tags hide from a reviewer;
 * lone surrogates are no UTF-8.
 */
export const HIDDEN =
  '\\u007f-\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u1680\\u17b4\\u17b5\\u180b-\\u180f\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u2800\\u3000\\u3164\\ufe00-\\ufe0f\\ufeff' +
  '\\uffa0\\ufff9-\\uffff\\u{e0000}-\\u{e0fff}\\p{Cs}';

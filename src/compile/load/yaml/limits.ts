/** Maximum number of lexemes in a document: about 2,500 lines. The parser needs up to a kilobyte for each. */
export const lexemesMax = 20_000;

/**
 * Maximum length of a document in characters. The API server takes requests of up to 3 MiB, and etcd objects of up to
 * 1.5 MiB.
 */
export const documentLengthMax = 2 * 1024 * 1024;

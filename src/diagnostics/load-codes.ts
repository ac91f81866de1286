/** Codes of the diagnostics that reading the input can give: 1 to 19 about YAML text, 20 to 49 about files. */
export const loadCodes = {
  syntax: { code: 'WEFT0001', title: 'the text is not valid YAML' },
  duplicateKey: { code: 'WEFT0002', title: 'a key appears twice in one mapping' },
  tag: { code: 'WEFT0003', title: 'a YAML tag cannot be used here' },
  unknownAlias: { code: 'WEFT0004', title: 'an alias names no anchor above it' },
  aliasExpansion: { code: 'WEFT0005', title: 'aliases expand to too much' },
  nesting: { code: 'WEFT0006', title: 'the document is nested too deeply' },
  character: { code: 'WEFT0007', title: 'the text holds a character that YAML does not allow' },
  notJson: { code: 'WEFT0008', title: 'the value has no form in JSON' },
  key: { code: 'WEFT0009', title: 'the key is not text' },
  merge: { code: 'WEFT0010', title: 'a merge key needs a mapping' },
  documentSize: { code: 'WEFT0011', title: 'the document is too large' },
  notMapping: { code: 'WEFT0012', title: 'a document is not a mapping' },
  noFolder: { code: 'WEFT0020', title: 'the folder cannot be read' },
  emptyFolder: { code: 'WEFT0021', title: 'the folder holds no documents' },
  notRegularFile: { code: 'WEFT0022', title: 'the input is not a regular file' },
  unreadableFile: { code: 'WEFT0023', title: 'the file cannot be read' },
  fileSize: { code: 'WEFT0024', title: 'the file is too large' },
  encoding: { code: 'WEFT0025', title: 'the file is not UTF-8 text' },
  module: { code: 'WEFT0026', title: 'the TypeScript file cannot be loaded' },
  notData: { code: 'WEFT0027', title: 'an exported document is not plain data' },
  noExport: { code: 'WEFT0028', title: 'the TypeScript file exports no document' },
  folderSize: { code: 'WEFT0029', title: 'the folder holds too much' },
  unreadFolder: { code: 'WEFT0035', title: 'a folder inside holds input, and is not read' },
  unreadFile: { code: 'WEFT0036', title: 'a file looks like input, and is not read' },
} as const satisfies Readonly<Record<string, { readonly code: string; readonly title: string }>>;

export type LoadCode = keyof typeof loadCodes;

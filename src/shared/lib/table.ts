import { escapeLine } from './escape.js';

/** Rows as lines, their cells escaped, in columns that are two spaces apart. The first row has all columns. */
export function tableLines(given: readonly (readonly string[])[]): readonly string[] {
  const rows = given.map((row) => row.map(escapeLine));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    return cells.join('  ').trimEnd();
  });
}

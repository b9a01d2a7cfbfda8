/** Lines of a table for spreadsheets: RFC 4180, in UTF-8 with the mark by which Excel knows it. Free of imports. */

export type CsvCell = string | number | boolean | null;

export const BYTE_ORDER_MARK = '\ufeff';

export const toCsvLine = (cells: readonly CsvCell[]) => `${cells.map(toCell).join(',')}\r\n`;

/** Returns a field's value as a cell; the items of a list on a line each. */
export const toCsvCell = (value: CsvCell | readonly string[]): CsvCell =>
  typeof value === 'object' && value !== null ? value.join('\n') : value;

/** What a spreadsheet takes for the start of a formula, and what it overlooks before one. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** Texts come from strangers: an apostrophe makes a spreadsheet show a formula and not run it. */
function toCell(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

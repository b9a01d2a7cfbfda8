/** CSV for spreadsheets: RFC 4180 in UTF-8, with the byte order mark that Excel needs. Imports nothing. */

export type CsvCell = string | number | boolean | null;

export const BYTE_ORDER_MARK = '\ufeff';

/** Separators of columns. A semicolon goes with decimal commas, as in most of Europe and Central Asia. */
export const CSV_DELIMITERS = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type CsvDelimiter = keyof typeof CSV_DELIMITERS;

export const toCsvLine = (cells: readonly CsvCell[], delimiter: CsvDelimiter = 'comma') =>
  `${cells.map((cell) => toCell(cell, delimiter)).join(CSV_DELIMITERS[delimiter])}\r\n`;

/** Returns a field value as a cell. List items are separated by line breaks. */
export const toCsvCell = (value: CsvCell | readonly string[]): CsvCell =>
  typeof value === 'object' && value !== null ? value.join('\n') : value;

/** Returns the header of a field's column. People read the title, and programs find the column by its end. */
export function toFieldHeader(
  member: 'fields' | 'reviewed',
  field: { name: string; title?: string | undefined },
): string {
  const key = `${member}.${field.name}`;
  return field.title === undefined ? key : `${field.title} (${key})`;
}

/** Characters that start a formula in a spreadsheet, or that are ignored before one. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** Conversations are untrusted. An apostrophe makes a spreadsheet show a formula instead of running it. */
function toCell(value: CsvCell, delimiter: CsvDelimiter): string {
  if (value === null) return '';
  if (typeof value !== 'string') return delimiter === 'semicolon' ? String(value).replace('.', ',') : String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Files that a spreadsheet opens. */

/** Escapes a text that begins like a formula, which a spreadsheet would run; numbers are left as they are. */
const escapeFormula = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

function toCell(value: string | number | boolean): string {
  const text = typeof value === 'string' ? escapeFormula(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns CSV as in RFC 4180. @param rows the first holds the names of the columns. */
export const toCsv = (rows: readonly (readonly (string | number | boolean)[])[]) =>
  rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('');

/** Hands the text to the browser as a file to keep. */
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Data of recordings: a table that is dropped with them, and the pattern of their names. */
import { escapePattern } from '../format/fill.ts';

type Data = Record<string, string>;

/** Returns the data by file name. The first column of the CSV file has the names, its first line the keys. */
export async function readTable(csv: File): Promise<Map<string, Data>> {
  const [[, ...keys] = [], ...rows] = readCsv(await csv.text());
  const dataOf = (cells: string[]): Data =>
    Object.fromEntries(keys.flatMap((key, at) => (key && cells[at] ? [[key, cells[at]] as const] : [])));
  return new Map(rows.filter(([name]) => name).map(([name = '', ...cells]) => [name, dataOf(cells)]));
}

/** Returns the cells of each line. The separator is the most frequent one of the first line. */
export function readCsv(text: string): string[][] {
  const [first = ''] = text.split('\n', 1);
  const [separator = ','] = [',', ';', '\t'].toSorted((a, b) => first.split(b).length - first.split(a).length);
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\\r\\n]*))(${separator}|\\r?\\n|$)`, 'g');
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(cell)) {
    rows.at(-1)?.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (end !== separator) rows.push([]);
  }
  return rows;
}

/** Returns the data in a file's name, such as the agent by the pattern `{agent}_{call_id}`; empty: the name differs. */
export function dataOfName(name: string, pattern: string): Data {
  const keys: string[] = [];
  const parts = pattern.split(/\{([^{}]+)\}/).map((part, at) => {
    if (at % 2 === 0) return escapePattern(part);
    keys.push(part);
    return '(.+?)';
  });
  const [, ...values] = new RegExp(`^${parts.join('')}$`).exec(name.replace(/\.[^.]*$/, '')) ?? [];
  return Object.fromEntries(values.map((value, at) => [keys[at] ?? '', value]));
}

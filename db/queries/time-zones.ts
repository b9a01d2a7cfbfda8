/** The names of time zones in the database. */
import { readRows } from '../statements.ts';

let reading: Promise<readonly string[]> | undefined;

/** Reads the names once, which takes about 0.1 s. */
export async function readTimezones(): Promise<readonly string[]> {
  reading ??= readRows<{ name: string }[]>('select name from pg_timezone_names').then((rows) =>
    rows.map(({ name }) => name),
  );
  try {
    return await reading;
  } catch (error) {
    reading = undefined;
    throw error;
  }
}

/** Times by the database's clock: what it compares with its own time must not come from another machine's. */
import { raw } from 'objection';

/** Returns the time `ms` milliseconds after the start of the transaction, as a value for a column. */
export const inMs = (ms: number) => raw("now() + ? * interval '1 millisecond'", ms) as unknown as Date;

/** Returns the time of the start of the transaction, as a value for a column. */
export const now = () => raw('now()') as unknown as Date;

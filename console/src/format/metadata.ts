/** Metadata of sessions for people. */

/** The metadata key that the console adds to uploaded recordings. */
const UPLOAD_KEY = 'upload_key';

/** Returns the metadata that the client set, IDs first. PostgreSQL does not keep the original order. */
export const pairsOf = (metadata: Record<string, string>): [key: string, value: string][] =>
  Object.entries(metadata)
    .filter(([key, value]) => key !== UPLOAD_KEY && value !== '')
    .sort(([a], [b]) => Number(/id$/i.test(b)) - Number(/id$/i.test(a)));

/** Returns the first value, usually the ID of the call; undefined without metadata. */
export const firstValue = (metadata: Record<string, string>): string | undefined => pairsOf(metadata)[0]?.[1];

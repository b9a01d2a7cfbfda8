/** Metadata of sessions for people. */

/** The metadata key that the console adds to uploaded recordings. */
const UPLOAD_KEY = 'upload_key';

/** Returns whether a key is for people. */
export const isShown = (key: string) => key !== UPLOAD_KEY;

/** IDs come first, then the name of an uploaded file, then the agent. */
const rankOf = (key: string) => (/id$/i.test(key) ? 0 : key === 'file_name' ? 1 : key === 'agent' ? 2 : 3);

/** Returns the metadata for people. PostgreSQL does not keep the original order. */
export const pairsOf = (metadata: Record<string, string>): [key: string, value: string][] =>
  Object.entries(metadata)
    .filter(([key, value]) => isShown(key) && value !== '')
    .sort(([a], [b]) => rankOf(a) - rankOf(b));

/** Returns the first value, usually the ID of the call; undefined without metadata. */
export const firstValue = (metadata: Record<string, string>): string | undefined => pairsOf(metadata)[0]?.[1];

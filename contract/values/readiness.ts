/** What `GET /readyz` reports as missing or refused. The console translates these sentences. */
export const READINESS_PROBLEMS = [
  'the database does not respond',
  'the database is not migrated',
  'the database is read-only',
  'the disk of the database is full',
  'Temporal does not respond',
  'no worker is running',
  'no release of the workers is current, so no session starts: run npm run release',
  'no worker of the current release is running, so no session starts: start one, or run npm run release',
  'the disk for recordings is full: uploads are refused',
  'the store of recordings does not work: uploads are refused',
] as const;
export type ReadinessProblem = (typeof READINESS_PROBLEMS)[number];

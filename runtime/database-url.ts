import type { Settings } from './environment.ts';

/** Returns the address of the database with the password that is given apart, which may hold any character. */
export function readDatabaseUrl({
  DATABASE_URL: url,
  DATABASE_PASSWORD: password,
}: Pick<Settings, 'DATABASE_URL' | 'DATABASE_PASSWORD'>): string {
  if (password === undefined) return url;
  const withPassword = new URL(url);
  withPassword.password = encodeURIComponent(password);
  return withPassword.href;
}

import { texts } from '../texts/index.ts';

const NAMES: Record<string, string> = texts.roles;

/** Returns the name of a speaker with its role translated: "client", or "client (B)" if several speakers have the role. */
export const wordRole = (name: string) =>
  name.replace(/^\w+(?= \(|$)/, (role) => NAMES[role]?.toLocaleLowerCase() ?? role);

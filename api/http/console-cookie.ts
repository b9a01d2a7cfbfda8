/** The console's login: a cookie that no script can read and no other site can send. docs/decisions.md, "Logins". */

/** The prefix binds it to the host: browsers take it over HTTPS only, for the whole host, without a domain. */
export const CONSOLE_COOKIE = '__Host-cas_console';

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

export const consoleCookie = (secret: string) => ({ 'Set-Cookie': `${CONSOLE_COOKIE}=${secret}; ${ATTRIBUTES}` });

export const clearedConsoleCookie = { 'Set-Cookie': `${CONSOLE_COOKIE}=; Max-Age=0; ${ATTRIBUTES}` };

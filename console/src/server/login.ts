/** The current login. Scripts can't read its cookie. */
import { queryOptions } from '@tanstack/react-query';
import {
  closeConsoleSession,
  deleteCurrentUser,
  getConsoleSession,
  linkSso,
  openConsoleSession,
  registerInConsole,
  startSsoAction,
  updateCurrentUser,
  type DeleteAccountInput,
  type LoginInput,
  type RegisterInput,
  type SsoActionInput,
  type SsoLinkInput,
  type User,
} from 'conversation-analysis-client';
import { getLoginMethodsOptions } from 'conversation-analysis-client/react-query';
import { SSO_ERRORS, type ConsoleLanguage } from '../../../contract/values/constants.ts';
import { readPreferences, savePreferences } from '../format/preferences.ts';
import { oneOf, parseQuery } from '../search/parse.ts';
import './client.ts';
import { isUnauthorized } from './problem.ts';
import { queryClient } from './queries.ts';
import { homeOf, PERSONAL_API } from './workspace.ts';

/** Fails with 401 without a login. */
export const loginOptions = queryOptions({
  queryKey: ['login'],
  queryFn: ({ signal }) => readLogin(signal),
  staleTime: Infinity,
});

/** Returns whether somebody is logged in, as far as the browser knows. */
export const isLoggedIn = () =>
  readPreferences().isLoggedIn || queryClient.getQueryData(loginOptions.queryKey) !== undefined;

export const readLogin = async (signal?: AbortSignal): Promise<User> =>
  (await getConsoleSession({ baseUrl: PERSONAL_API, signal: signal ?? null, throwOnError: true })).data.user;

/** Thrown if the browser did not keep the cookie of a login. Has the members of a problem. */
export const NO_COOKIE = Object.assign(new Error(), { status: 403, code: 'no_cookie', request_id: '' });

/** Throws `NO_COOKIE` unless the login works. */
async function readNewLogin(): Promise<User> {
  try {
    return await readLogin();
  } catch (error) {
    throw isUnauthorized(error) ? NO_COOKIE : error;
  }
}

/** Logs in, and keeps the data on screen. */
export async function openLogin(body: LoginInput): Promise<User> {
  await openConsoleSession({ baseUrl: PERSONAL_API, body, throwOnError: true });
  return readNewLogin();
}

export const logIn = async (body: LoginInput) => enter(await openLogin(body));

export async function register(body: RegisterInput): Promise<void> {
  await registerInConsole({ body, throwOnError: true });
  enter(await readNewLogin());
}

/** Connects a single sign-on to the account with the account's password, and logs in. Returns the page of a workspace that it joined. */
export async function connectSso(body: SsoLinkInput): Promise<string | undefined> {
  const { data } = await linkSso({ body, throwOnError: true });
  enter(await readNewLogin());
  return data.joined_workspace_id === null ? undefined : homeOf(data.joined_workspace_id);
}

/** The login methods. They change only when the API restarts. */
export const methodsOptions = queryOptions({ ...getLoginMethodsOptions(), staleTime: Infinity });

/** Limit of the API for the length of `next`. */
const MAX_NEXT = 1_000;

/** Returns whether the path is a page of the console. Paths that start with `//` or `/\` lead to another host. */
export const isOwnPath = (path: string | undefined): path is string => path !== undefined && /^\/(?![/\\])/.test(path);

/** Returns the path and query string of this page without `/console`. */
const currentPage = () => location.pathname.replace('/console', '') + location.search;

/** Returns the URL that starts single sign-on and returns to `next`. Default: this page. */
export const ssoUrl = (next: string | undefined = currentPage()): string =>
  `/api/v1/auth/oidc/start${isOwnPath(next) && next.length <= MAX_NEXT ? `?next=${encodeURIComponent(next)}` : ''}`;

/** Opens the single sign-on provider, which returns to this page. */
export async function openSsoAction(intent: SsoActionInput['intent']): Promise<void> {
  const { data } = await startSsoAction({ body: { intent, next: currentPage() }, throwOnError: true });
  location.assign(data.url);
}

/**
 * Ends the login on the server and opens a page. It loads the page anew, so that no data stays in memory, and because the
 * calls that are still running fail now.
 */
export async function logOut(next = '/console/login?ended=out'): Promise<void> {
  await closeConsoleSession({ baseUrl: PERSONAL_API, throwOnError: true });
  savePreferences({ isLoggedIn: false });
  location.assign(next);
}

/** Deletes the account, and loads the login page anew. */
export async function deleteAccount(body: DeleteAccountInput): Promise<void> {
  await deleteCurrentUser({ body, throwOnError: true });
  location.assign('/console/login?ended=deleted');
}

/** Sets the language of the account; undefined for the language of the browser. */
export async function setLanguage(language: ConsoleLanguage | undefined): Promise<void> {
  const { data } = await updateCurrentUser({ body: { language: language ?? null }, throwOnError: true });
  // Not before, because the page may be loaded again meanwhile.
  savePreferences({ newLanguage: null });
  queryClient.setQueryData(loginOptions.queryKey, data);
}

function enter(user: User): void {
  queryClient.clear();
  queryClient.setQueryData(loginOptions.queryKey, user);
}

/** Why single sign-on failed and returned to this page. Read on load, because the router removes the parameter. */
export const ssoFailure = { page: location.pathname, reason: oneOf(parseQuery(location.search), 'error', SSO_ERRORS) };

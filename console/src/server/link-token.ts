/**
 * Tokens of links in emails. They are in the URL's fragment, which browsers do not send to servers, and are removed from
 * the address bar immediately. The tab keeps a token until it is used, because a page can require a login first.
 */
import { redirect } from '@tanstack/react-router';
import { readFromTab, removeFromTab, storeInTab } from '../format/tab-storage.ts';

const keyOf = (path: string) => `link ${path}`;

/** Stores the token of the URL and opens the page without it. For `beforeLoad` of a route. */
export function storeLinkToken({
  location: { pathname, hash },
}: {
  location: { pathname: string; hash: string };
}): void {
  if (hash === '') return;
  storeInTab(keyOf(pathname), hash);
  redirect({ to: pathname, replace: true, throw: true });
}

export const readLinkToken = (path: string): string | null => readFromTab(keyOf(path));

export const removeLinkToken = (path: string): void => removeFromTab(keyOf(path));

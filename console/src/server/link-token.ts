/**
 * Tokens of links in emails. They arrive behind `#`, which no server receives, and leave the address bar at once. The tab
 * keeps them until they are used, because a page can require a login first.
 */
import { redirect } from '@tanstack/react-router';

const keyOf = (path: string) => `link ${path}`;

/** Keeps the token of the address, and opens the page without it. For `beforeLoad` of a route. */
export function takeLinkToken({
  location: { pathname, hash },
}: {
  location: { pathname: string; hash: string };
}): void {
  if (hash === '') return;
  sessionStorage.setItem(keyOf(pathname), hash);
  redirect({ to: pathname, replace: true, throw: true });
}

export const readLinkToken = (path: string): string | null => sessionStorage.getItem(keyOf(path));

export const forgetLinkToken = (path: string): void => sessionStorage.removeItem(keyOf(path));

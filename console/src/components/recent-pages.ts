/** The pages of objects that this tab has shown, newest first, for the palette. Not stored, because titles are private. */
import { history } from '../server/workspace.ts';

const MAX = 8;
const OBJECT = /_[0-9a-z]{26}/;

let recentPages: readonly { path: string; title: string }[] = [];

export function rememberPage(title: string): void {
  const path = history.location.pathname;
  if (OBJECT.test(path))
    recentPages = [{ path, title }, ...recentPages.filter((page) => page.path !== path)].slice(0, MAX);
}

/** Returns the pages except the current one. */
export const findRecentPages = () => recentPages.filter(({ path }) => path !== history.location.pathname);

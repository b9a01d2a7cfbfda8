/** The list from which a session was opened, so that the next session is one key away. */
import { readFromTab, storeInTab } from '../format/tab-storage.ts';

/** The current row by list URL. Going back in the history returns to this row. */
export const currentRows = new Map<string, string>();

interface List {
  /** The URL of the list of sessions; undefined for the table of another page. */
  address?: string;
  /** The loaded rows. */
  ids: readonly string[];
}

/** In the session storage of the tab, so that reloading a session keeps its place in the list. */
const KEY = 'list';

let list = JSON.parse(readFromTab(KEY) ?? '{"ids":[]}') as List;

export function rememberList(opened: List): void {
  list = opened;
  storeInTab(KEY, JSON.stringify(opened));
}

/** Returns the place of the session in the list, and its neighbors; undefined if the session is not in the list. */
export function findNeighbors(id: string) {
  const at = list.ids.indexOf(id);
  return at < 0
    ? undefined
    : { ...list, previous: list.ids[at - 1], next: list.ids[at + 1], place: at + 1, of: list.ids.length };
}

/** Makes the session the row that the list returns to. */
export const visit = (id: string) => list.address !== undefined && currentRows.set(list.address, id);

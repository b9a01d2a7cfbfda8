/** Texts that the tab keeps when a page is loaded anew. If the browser denies its storage, until then. */
const memory = new Map<string, string>();

/** Returns what `access` returns; null if the browser denies its storage, or the storage is full or damaged. */
export function tryStorage<Result>(access: () => Result): Result | null {
  try {
    return access();
  } catch {
    return null;
  }
}

export function storeInTab(key: string, value: string): void {
  memory.set(key, value);
  tryStorage(() => sessionStorage.setItem(key, value));
}

export const readFromTab = (key: string): string | null =>
  memory.get(key) ?? tryStorage(() => sessionStorage.getItem(key));

export function removeFromTab(key: string): void {
  memory.delete(key);
  tryStorage(() => sessionStorage.removeItem(key));
}

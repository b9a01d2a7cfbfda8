/** Texts that the tab keeps when a page is loaded anew. If the browser denies its storage, until then. */
const memory = new Map<string, string>();

export function storeInTab(key: string, value: string): void {
  memory.set(key, value);
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // Denied, or full.
  }
}

export function readFromTab(key: string): string | null {
  const kept = memory.get(key);
  if (kept !== undefined) return kept;
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

export function removeFromTab(key: string): void {
  memory.delete(key);
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Nothing is stored.
  }
}

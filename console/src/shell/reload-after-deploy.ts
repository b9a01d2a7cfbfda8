/** After a deploy an open tab asks for files that are gone: it is loaded anew, once. */
const KEY = 'console.reloaded-at';
/** A second failure so soon is no deploy. */
const ONCE_MS = 60_000;

export function reloadAfterDeploy(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - last < ONCE_MS) return;
    sessionStorage.setItem(KEY, String(Date.now()));
    event.preventDefault();
    location.reload();
  });
}

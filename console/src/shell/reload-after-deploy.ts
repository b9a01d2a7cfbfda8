/** After a deploy an open tab asks for files that are gone: it is loaded anew, once. */
import type { router as consoleRouter } from '../router.tsx';

const KEY = 'console.reloaded-at';
/** A second failure so soon is no deploy. */
const ONCE_MS = 60_000;

/** A link that is only pointed at has its page loaded ahead: what it misses waits for a click, lest a form be lost. */
export function reloadAfterDeploy(router: typeof consoleRouter): void {
  let preloads = 0;
  let isOutdated = false;
  const preloadRoute = router.preloadRoute;
  router.preloadRoute = (options) => {
    preloads++;
    return preloadRoute(options).finally(() => preloads--);
  };
  addEventListener('vite:preloadError', (event) => {
    isOutdated = true;
    if (preloads === 0 || router.state.status === 'pending') reloadOnce(() => event.preventDefault());
  });
  // By then the address is that of the page that was clicked.
  router.subscribe('onLoad', () => isOutdated && reloadOnce());
}

function reloadOnce(beforeReload?: () => void): void {
  const last = Number(sessionStorage.getItem(KEY) ?? 0);
  if (Date.now() - last < ONCE_MS) return;
  sessionStorage.setItem(KEY, String(Date.now()));
  beforeReload?.();
  location.reload();
}

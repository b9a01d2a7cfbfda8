/* Runs before the first paint. A file, because the Content-Security-Policy forbids inline scripts. */
(function () {
  try {
    var theme = JSON.parse(localStorage.getItem('console.preferences') || '{}').theme;
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    /* No storage */
  }
})();
if (!(Map.groupBy && Promise.withResolvers && window.AbortSignal && AbortSignal.any && URL.parse)) {
  document.head.appendChild(document.createElement('script')).src = '/console/old-browser.js';
}

/* Sets the theme before the first paint. In a file, since the Content-Security-Policy forbids inline scripts. */
(function () {
  try {
    var theme = JSON.parse(localStorage.getItem('console.preferences') || '{}').theme;
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    /* Storage is not available: the system theme applies. */
  }
})();

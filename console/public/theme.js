/* Runs before the first paint. Not inline because of the CSP. */
(function () {
  try {
    var theme = JSON.parse(localStorage.getItem('console.preferences') || '{}').theme;
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    //
  }
})();
if (!(Map.groupBy && Promise.withResolvers && window.AbortSignal && AbortSignal.any && URL.parse))
  location.replace('/console/old-browser.html');

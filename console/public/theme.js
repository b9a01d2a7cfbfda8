/* Sets the chosen theme before anything is painted; the policy of the page forbids an inline script. */
(function () {
  try {
    var theme = JSON.parse(localStorage.getItem('console.preferences') || '{}').theme;
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    /* Storage is not to be had: the system's theme stays. */
  }
})();

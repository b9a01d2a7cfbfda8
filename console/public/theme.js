/* Sets the theme before the first paint. In a file, since the Content-Security-Policy forbids inline scripts. */
(function () {
  try {
    var theme = JSON.parse(localStorage.getItem('console.preferences') || '{}').theme;
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    /* Storage is not available: the system theme applies. */
  }
})();

/* The console itself can't report that a browser is too old, because it does not start there. */
(function () {
  'use strict';
  var isNew =
    typeof Map.groupBy === 'function' &&
    typeof Promise.withResolvers === 'function' &&
    typeof AbortSignal === 'function' &&
    typeof AbortSignal.any === 'function' &&
    typeof URL.parse === 'function';
  if (isNew) return;
  var language = (navigator.language || '').slice(0, 2);
  var sentences = {
    ru: 'Этот браузер слишком старый для консоли. Обновите его.',
    // cspell:disable-next-line
    uz: 'Bu brauzer konsol uchun juda eski. Uni yangilang.',
  };
  document.addEventListener('DOMContentLoaded', function () {
    var message = document.createElement('p');
    message.setAttribute('role', 'alert');
    message.textContent = sentences[language] || 'This browser is too old for the console. Update it.';
    document.body.textContent = '';
    document.body.appendChild(message);
  });
})();

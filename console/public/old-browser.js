/* Replaces the page in a browser that is too old for the console. theme.js loads it. In JavaScript that such browsers know. */
(function () {
  'use strict';
  var sentences = {
    ru: 'Этот браузер слишком старый для консоли. Обновите его.',
    // cspell:disable-next-line
    uz: 'Bu brauzer konsol uchun juda eski. Uni yangilang.',
  };
  function show() {
    var message = document.createElement('p');
    message.setAttribute('role', 'alert');
    message.textContent =
      sentences[(navigator.language || '').slice(0, 2)] || 'This browser is too old for the console. Update it.';
    document.body.textContent = '';
    document.body.appendChild(message);
  }
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', show);
  else show();
})();

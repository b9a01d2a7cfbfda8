import type * as en from '../en/delivery.ts';

export const attempts: typeof en.attempts = {
  id: 'ID доставки',
  none: 'Доставок нет',
  noneWhy: 'К окончанию сессии у ассистента не было URL вебхука.',
  noAttempt: 'Попыток пока не было.',
  open: 'Открыть доставку',
  attempt: (attempt) => `Попытка ${attempt}`,
  took: (duration) => `за ${duration}`,
  sendNow: 'Отправить сейчас',
  stop: 'Остановить',
  redelivered: 'Повторная отправка начата.',
  request: 'Запрос',
  requestHeaders: 'Заголовки запроса',
  requestBody: 'Тело запроса',
  response: 'Ответ',
  responseHeaders: 'Заголовки ответа',
  responseBody: 'Тело ответа',
  emptyBody: 'Пустое тело.',
  truncated: 'Сохраняются только первые 16 КиБ тела.',
};

export const delivery: typeof en.delivery = {
  title: 'Доставка',
  titleOf: (event) => `Доставка ${event}`,
  original: 'Исходная доставка',
  ifItFails: 'при необходимости',
};

export const failureAdvice: typeof en.failureAdvice = {
  timeout: 'Ваш сервер не ответил за 10 с. Сначала отвечайте кодом 2xx, затем обрабатывайте запрос.',
  dns: 'Имя хоста из URL вебхука не найдено. Исправьте URL в ассистенте: следующая попытка использует новый.',
  connect: 'Сервер не принимает подключения. Проверьте, что он запущен и порт открыт.',
  connection_closed: 'Сервер принял соединение и закрыл его до конца ответа. Проверьте его журнал и прокси перед ним.',
  tls: 'Не удалось установить TLS-соединение. Проверьте сертификат для этого имени хоста.',
  invalid_response: 'Ответ сервера не соответствует HTTP/1.1. Проверьте его заголовки и схему http или https в URL.',
  redirect: 'Перенаправления не поддерживаются. Укажите конечный URL вебхука.',
  blocked_address: 'URL указывает на частный или зарезервированный адрес. Этот сервер такие адреса не вызывает.',
  http_status: 'Ваш сервер вернул ошибку. См. «Ответ».',
  worker_lost: 'Воркер аварийно завершился до записи попытки. Доставка будет повторена.',
  secret_unreadable: 'Не удалось расшифровать секрет вебхука. Задайте новый секрет в ассистенте.',
};

export const stopReasons: typeof en.stopReasons = {
  assistant_deleted: 'Ассистент удалён.',
  webhook_url_removed: 'URL вебхука удалён.',
  alert_removed: 'Оповещение удалено.',
  canceled: 'Сессия отменена.',
  requested: 'Остановлено вручную.',
  terminated: 'Рабочий процесс прерван.',
};

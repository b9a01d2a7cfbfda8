import type * as en from '../en/overview.ts';
import { form, plural } from './grammar.ts';

export const overview: typeof en.overview = {
  disk: 'Диск для записей',
  counts: {
    sessions: (count) => form(count, 'сессия', 'сессии', 'сессий'),
    failed: () => 'с ошибкой',
    delivered: (count) => form(count, 'доставлена', 'доставлены', 'доставлено'),
    pending: () => 'ещё не доставлено',
    undelivered: (count) => form(count, 'доставка не удалась', 'доставки не удались', 'доставок не удалось'),
  },
  retrying: (count) => `${plural(count, 'доставка повторяется', 'доставки повторяются', 'доставок повторяются')}.`,
  spent: 'потрачено',
  none: 'За этот период активности не было',
  first: {
    detail:
      'Ассистент задаёт ваши вопросы о каждом разговоре. Выберите шаблон и вставьте или перетащите первый разговор.',
    title: 'Первые шаги',
  },
  state: {
    unknown: 'Состояние неизвестно: сервер не отвечает. Данные ниже могли устареть.',
    good: 'Вмешательство не требуется.',
    problems: (count) => `${plural(count, 'проблема требует', 'проблемы требуют', 'проблем требуют')} внимания.`,
    list: 'Проблемы',
  },
  down: (provider, reason, since) => `Запросы к ${provider} завершаются ошибкой с ${since}: ${reason}.`,
  waits: (count) => `Ожидает ${plural(count, 'сессия', 'сессии', 'сессий')}.`,
  paused: 'Запросы приостановлены, кроме отдельных пробных.',
  nextTry: 'Следующая попытка',
  queued: (count, since) => `В очереди ${plural(count, 'сессия', 'сессии', 'сессий')}, самая ранняя с ${since}.`,
  receiver: (host, cause, since) => `${host} не принимает доставки с ${since}: ${cause}.`,
  acceptsAgain: (host, until, since) => `${host} не принимал доставки до ${until}, принимает с ${since}.`,
  undelivered: (count) =>
    `${plural(count, 'доставка с ошибкой, повторно не отправлена', 'доставки с ошибкой, повторно не отправлены', 'доставок с ошибкой, повторно не отправлены')}.`,
  failures: (count, cause, last) =>
    `${plural(count, 'сессия', 'сессии', 'сессий')} с ошибкой, последняя в ${last}: ${cause}.`,
  full: (store, used, size, share) =>
    `${store}: занято ${used} из ${size} (${share}). Удалите сессии или увеличьте лимит.`,
  showDeliveries: 'Показать доставки',
  retry: 'Повторить…',
};

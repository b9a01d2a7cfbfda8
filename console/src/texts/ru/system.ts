import type * as en from '../en/system.ts';
import { number } from './grammar.ts';

export const system: typeof en.system = {
  service: 'Сервис',
  state: 'Состояние',
  ready: 'Готов',
  notReady: (problems) => `Не готов: ${problems}`,
  providers: 'Провайдеры',
  down: (reason) => `Не работает (${reason}) с`,
  recordings: 'Записи',
  conversations: 'Разговоры',
  readyBut: (warnings) => `Готов, но: ${warnings}`,
  workers: 'Воркеры',
  workersRunning: (count) => (count === 0 ? 'Нет работающих воркеров' : `Работает: ${number.format(count)}`),
  queue: 'Ваша очередь',
  waiting: (count) => `В очереди: ${number.format(count)}`,
  oldest: 'самая старая добавлена',
  freeSpace: { recordings: 'Свободно для записей', database: 'Свободно для базы данных' },
  temporal: 'Интерфейс Temporal',
  configured: 'Настроен',
  simulated: 'Имитация',
  noKey: 'Не настроен',
};

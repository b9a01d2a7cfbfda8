import type * as en from '../en/system.ts';
import { number } from './grammar.ts';

export const system: typeof en.system = {
  service: 'Сервис',
  state: 'Состояние',
  ready: 'Готов',
  problems: {
    'the database does not respond': 'база данных не отвечает',
    'the database is not migrated': 'к базе данных не применены миграции',
    'the database is read-only': 'база данных доступна только для чтения',
    'the disk of the database is full': 'диск базы данных заполнен',
    'Temporal does not respond': 'Temporal не отвечает',
    'no worker is running': 'нет работающих воркеров',
    'no release of the workers is current, so no session starts: run npm run release':
      'ни один выпуск воркеров не назначен текущим, поэтому сессии не запускаются: выполните npm run release',
    'no worker of the current release is running, so no session starts: start one, or run npm run release':
      'ни один воркер текущего выпуска не работает, поэтому сессии не запускаются: запустите его или выполните npm run release',
    'the disk for recordings is full: uploads are refused': 'диск для записей заполнен, загрузки отклоняются',
    'the store of recordings does not work: uploads are refused': 'хранилище записей не работает, загрузки отклоняются',
  },
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

import type { ConsoleLanguage } from '../../../../contract/values/constants.ts';
import type * as en from '../en/common.ts';
import type { Locale } from '../locale.ts';

export const common: typeof en.common = {
  actions: 'Действия',
  product: 'Анализ разговоров',
  tryAgain: 'Повторить',
  loading: 'Загрузка…',
  requestId: (id) => `ID запроса: ${id}`,
  notFound: 'Страница не найдена',
  notFoundDetail: 'Возможно, в адресе ошибка или объект был удалён.',
  toStart: 'Перейти к обзору',
  sessions: 'Сессии',
  showSessions: 'Показать сессии',
  deliveries: 'Доставки',
  experiments: 'Эксперименты',
};

export const shell: typeof en.shell = {
  results: 'Результаты',
  navigation: 'Главное меню',
  review: 'Оценка',
  openMenu: 'Открыть меню',
  closeMenu: 'Закрыть меню',
  skip: 'Перейти к содержимому',
  overview: 'Обзор',
  start: 'Новый разговор',
  sessions: 'Сессии и журнал',
  assistants: 'Ассистенты',
  usage: 'Расходы',
  settings: 'Настройки',
  system: 'Система',
  apiDocs: 'Справочник API',
  logOut: 'Выйти',
  away: (time) => `Нет связи с сервером с ${time}. Переподключение…`,
  offline: 'Нет подключения к сети. Показаны последние известные данные.',
  noWorker: (since) =>
    `Нет работающих воркеров${since === null ? '' : ` с ${since}`}. Сессии и доставки ждут запуска воркера.`,
  broke: 'Что-то пошло не так',
  brokeDetail: 'Перезагрузите страницу. Если ошибка повторится, обратитесь к администратору.',
  reload: 'Перезагрузить',
  language: 'Язык',
  palette: {
    title: 'Поиск и переход',
    button: 'Поиск',
    placeholder: 'Поиск или ID',
  },
};

export const problem: typeof en.problem = {
  away: 'Нет связи с сервером',
  awayDetail: 'Возможно, сервер перезапускается или пропало подключение. Повторите попытку через несколько секунд.',
  codes: {
    unauthorized: { title: 'Вход не выполнен', detail: 'Войдите и повторите действие.' },
    not_found: { title: 'Не найдено' },
    validation_failed: { title: 'Некоторые значения неверны', detail: 'Исправьте их и повторите попытку.' },
  },
};

export const locale: Locale = { dates: 'ru-RU', numbers: 'ru-RU' };

export const language: ConsoleLanguage = 'ru';

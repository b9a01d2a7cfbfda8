import type * as en from '../en/shared.ts';
import { plural, upTo, number } from './grammar.ts';

export const units: typeof en.units = { ms: 'мс', s: 'с', min: 'мин', h: 'ч', d: 'дн.' };

export const status: typeof en.status = {
  fetching: 'Скачивание',
  queued: 'В очереди',
  transcribing: 'Расшифровка',
  analyzing: 'Анализ',
  completed: 'Завершено',
  completed_with_failures: 'Завершено с ошибками',
  failed: 'Ошибка',
  canceled: 'Отменено',
  deleted: 'Удалено',
  pending: 'Ожидает',
  retrying: (attempt, of) => `Повтор (${attempt} из ${of})`,
  delivered: 'Доставлено',
  stopped: 'Остановлено',
  running: 'Выполняется',
  paused: 'Приостановлено',
  canceling: 'Отменяется',
  succeeded: 'Успешно',
  lost: 'Результат неизвестен',
  waiting: 'Ожидание',
  waitingFor: (provider) => `Ожидает ${provider}`,
  waited: 'Ожидание завершено',
};

export const types: typeof en.types = { voice: 'Голос', text: 'Текст' };

export const providers: typeof en.providers = { local: 'Локальный сервер' };

export const failures: typeof en.failures = {
  auth: 'Ключ API отклонён',
  bad_input: 'Запрос отклонён',
  refused: 'Модель отказалась отвечать',
  unknown_model: 'У провайдера нет такой модели',
  incomplete: 'Неполный ответ',
  rate_limited: 'Слишком много запросов',
  unavailable: 'Провайдер недоступен',
  quota_exceeded: 'Превышена квота провайдера',
  too_large: 'Слишком большой объём для провайдера',
  audio_unreachable: 'Запись недоступна',
  audio_rejected: 'Запись отклонена',
  cut_off: 'Соединение прервано',
  not_audio: 'Не аудиозапись',
  no_room: 'Диск заполнен',
  budget_exceeded: 'Месячный бюджет исчерпан',
  terminated: 'Прервано',
  internal: 'Внутренняя ошибка',
  canceled: 'Отменено',
  timeout: 'Время ожидания истекло',
  dns: 'Ошибка DNS',
  connect: 'Не удалось подключиться',
  connection_closed: 'Соединение закрыто',
  tls: 'Ошибка TLS',
  invalid_response: 'Некорректный ответ',
  redirect: 'Перенаправление',
  blocked_address: 'Адрес запрещён',
  http_status: 'Ответ с ошибкой',
  worker_lost: 'Попытка с неизвестным результатом',
  secret_unreadable: 'Не удалось прочитать секрет',
};

export const steps: typeof en.steps = {
  queue: 'Очередь',
  transcription: 'Расшифровка',
  analysis: 'Анализ',
  total: 'Всего',
};

export const roles: typeof en.roles = {
  operator: 'Оператор',
  client: 'Клиент',
  speaker: 'Собеседник',
  other: 'Другой',
  unknown: 'Неизвестно',
};

export const kinds: typeof en.kinds = {
  sess: 'Сессия',
  dlv: 'Доставка',
  asst: 'Ассистент',
  bat: 'Массовое действие',
  key: 'Токен API',
};

export const redactionKinds: typeof en.redactionKinds = {
  card: 'Номера карт',
  code: 'Коды и пароли',
  id: 'Документы',
  phone: 'Номера телефонов',
  email: 'Адреса эл. почты',
  iban: 'IBAN',
  name: 'Имена',
  address: 'Адреса',
};

export const sessions: typeof en.sessions = {
  status: 'Статус',
  length: 'Объём',
  turns: (count) => plural(count, 'реплика', 'реплики', 'реплик'),
  cost: 'Стоимость',
  started: 'Начало',
  took: 'Время обработки',
  noSummary: 'Резюме пока нет',
  modelHint: 'Точное название, например gpt-6-luna',
  providers: 'Данные',
  providerKinds: { false: 'Реальные', true: 'Имитация' },
  metadata: 'Метаданные',
  metadataHint: 'ключ=значение, …',
  minCostHint: '0,01',
  trial: 'тест',
  trials: 'Тесты',
  trialKinds: { true: 'Только тесты', false: 'Скрыть тесты' },
  reanalysis: 'повторный анализ',
  reanalysisKinds: { any: 'Показаны', true: 'Только повторные анализы' },
  none: 'Сессий пока нет',
  noneDetail: 'Отправьте разговор здесь или через API. Он появится сразу после приёма.',
  id: 'ID сессии',
  audio: 'Аудио',
  formerMember: 'Бывший участник',
  tokenOf: (token, person) => (person === null ? `Токен ${token}` : `Токен ${token}, ${person}`),
};

export const deliveries: typeof en.deliveries = {
  receiver: 'Пример получателя с проверкой подписи',
  event: 'Событие',
  failure: 'Причина ошибки',
  last: 'Последний ответ',
  attempts: 'Попытки',
  made: (count, of) => `Попыток: ${count} из ${of}`,
  next: 'Следующая попытка',
  openSession: 'Открыть сессию',
  replay: 'повторная отправка',
  notTried: 'Попыток пока не было',
  none: 'Доставок пока нет',
  noneDetail: 'Добавьте ассистенту URL вебхука. На него отправляется каждый результат, а здесь видна каждая попытка.',
  redeliverMany: 'Отправить повторно…',
  redeliver: 'Отправить повторно',
  redeliverTitle: 'Отправить повторно?',
  redeliverOne: 'То же тело отправляется на текущий URL ассистента как новая доставка.',
};

export const versions: typeof en.versions = {
  title: 'Версии',
  of: (version) => `Версия ${version}`,
  autoDetect: 'Определяет провайдер',
  current: 'текущая',
  version: 'Версия',
  changed: 'Изменено',
  first: 'Первая версия',
  restoredFrom: (version) => `Восстановлено из версии ${version}`,
  compareOf: (version) => `Сравнить версию ${version}`,
  with: 'Сравнить с',
  comparison: (one, other) => `Версии ${one} и ${other}`,
  more: 'Показать более старые версии',
  restore: 'Восстановить',
  restoreOf: (version) => `Восстановить версию ${version}`,
  restoreTitle: (version) => `Восстановить версию ${version}?`,
  restoreDetail:
    'Создаётся новая версия с этими настройками для новых разговоров. Название, описание и вебхук сохраняются.',
  restored: (version) => `Текущая версия ассистента: ${version}.`,
  properties: {
    type: 'Тип',
    description: 'Вопрос',
    options: 'Варианты',
    minimum: 'Минимум',
    maximum: 'Максимум',
    evidence: 'Подтверждение',
  },
};

/** The settings of an assistant. */
export const settingTitles: typeof en.settingTitles = {
  name: 'Название',
  description: 'Описание',
  stt_provider: 'Расшифровка',
  stt_model: 'Модель расшифровки',
  stt_language: 'Язык',
  channel_roles: 'Каналы',
  llm_provider: 'Провайдер',
  llm_model: 'Модель',
  system_prompt: 'Системный промпт',
  temperature: 'Температура',
  reasoning_effort: 'Глубина рассуждений',
  max_output_tokens: 'Лимит вывода (токены)',
  fallback: 'Резервный провайдер',
  fields: 'Вопросы',
  redaction: 'Скрытие персональных данных',
  on_provider_outage: 'Если провайдер недоступен',
  webhook_url: 'URL вебхука',
  webhook_secret: 'Секрет вебхука',
  webhook_auth: 'Аутентификация',
  webhook_events: 'События вебхука',
  alerts: 'Оповещения',
  retention_days: 'Хранить сессии (дней)',
};

export const lists: typeof en.lists = {
  filters: 'Фильтры',
  addFilter: 'Добавить фильтр',
  removeFilter: (label) => `Убрать фильтр: ${label}`,
  clear: 'Сбросить',
  any: 'Любой',
  range: 'Период',
  ranges: {
    all: 'За всё время',
    '1h': 'Последний час',
    '24h': 'Последние 24 часа',
    '7d': 'Последние 7 дней',
    '30d': 'Последние 30 дней',
    custom: 'Другой период',
  },
  selectRow: 'Выбрать строку',
  selectAll: 'Выбрать все загруженные строки',
  selected: (count) => `Выбрано: ${number.format(count)}`,
  selectMatching: (sessions) => `Выбрать всё: ${sessions}`,
  allSelected: (sessions) => `Выбрано всё: ${sessions}`,
  clearSelection: 'Снять выбор',
  copyLink: 'Копировать ссылку',
  columns: 'Столбцы',
  resetColumns: 'Сбросить столбцы',
  times: { created_after: 'С', created_before: 'По' },
  anyTime: 'любое',
  search: 'Поиск по словам или ID',
  searched:
    'Поиск шёл по ID сессий, а также по резюме, репликам и метаданным завершённых сессий. Слова находятся во всех формах и по началу от 3 букв. Чтобы найти слово целиком, возьмите его в кавычки.',
  newRows: (count, isMore) => (isMore ? `Новых: ${count}+` : `Новых: ${count}`),
  counts: {
    sessions: (total, isMore) => upTo(total, isMore, 'сессия', 'сессии', 'сессий'),
    deliveries: (total, isMore) => upTo(total, isMore, 'доставка', 'доставки', 'доставок'),
  },
  noMatch: 'Ничего не найдено',
  noMatchDetail: 'Измените или уберите часть фильтров.',
  noneForReaders: 'Их добавляют участники с другой ролью. Ваша роль позволяет только читать.',
  incompleteTime: 'Введите день, месяц, год и время.',
};

export const fields: typeof en.fields = {
  yes: 'Да',
  no: 'Нет',
  conditions: 'Условия по полям',
  remove: (condition) => `Убрать: ${condition}`,
  operators: { eq: '=', ne: '≠', gt: '>', gte: '≥', lt: '<', lte: '≤' },
  states: { null: 'не упомянуто', not_null: 'упомянуто', unverified: 'без цитаты' },
};

export const labels: typeof en.labels = {
  cancel: 'Отмена',
  discardTitle: 'Отменить изменения?',
  discardDetail: 'На этой странице есть несохранённые изменения.',
  discard: 'Отменить изменения',
  keepEditing: 'Продолжить редактирование',
  typeToConfirm: (text) => `Введите ${text} для подтверждения`,
  deleteTitle: (name) => `Удалить «${name}»?`,
  close: 'Закрыть',
  copy: 'Копировать',
  copied: 'Скопировано',
  copyOf: (label) => `Копировать: ${label}`,
  copyCurl: 'Копировать как cURL',
  clearFilters: 'Сбросить фильтры',
  none: 'Нет',
  unknown: 'Неизвестно',
  optional: 'необязательно',
  atLeast: (amount) => `≥ ${amount}`,
  atLeastWhy: 'Цена как минимум одного вызова неизвестна.',
  more: 'Показать ещё',
  notifications: 'Уведомления',
  due: 'сейчас',
  inTime: (time) => `через ${time}`,
  created: 'Создано',
  done: 'Готово',
  name: 'Название',
  save: 'Сохранить',
  saved: 'Сохранено.',
};

export const preferences: typeof en.preferences = {
  theme: 'Тема',
  themes: { system: 'Системная', light: 'Светлая', dark: 'Тёмная' },
  browserLanguage: 'Язык браузера',
};

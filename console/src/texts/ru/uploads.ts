import type * as en from '../en/uploads.ts';
import { plural, form } from './grammar.ts';

export const uploads: typeof en.uploads = {
  title: 'Загрузки',
  drop: 'Перетащите сюда записи или папку',
  chooseFile: 'Выбрать файл',
  chooseFiles: 'Выбрать файлы',
  chooseFolder: 'Выбрать папку',
  url: 'URL записи',
  submitUrl: 'Отправить URL',
  skipped: (count) =>
    `${form(count, 'Пропущен', 'Пропущено', 'Пропущено')} ${plural(count, 'файл', 'файла', 'файлов')} без аудио.`,
  summary: (accepted, total, failed) =>
    `Принято ${accepted} из ${total}${failed === 0 ? '' : `, с ошибкой: ${failed}`}`,
  retryFailed: (count) => `Повторить неудавшиеся: ${count}`,
  clear: 'Очистить список',
  all: 'Все записи',
  progressOf: (name) => `Загрузка: ${name}`,
  states: { waiting: 'Ожидает', sending: 'Загружается', accepted: 'Принято', failed: 'Ошибка' },
  replayed: 'уже отправлено',
  unreadable: 'Не удалось прочитать файл. Он был перемещён или изменён.',
  empty: (name) => `Файл «${name}» пуст. Выберите другой файл.`,
};

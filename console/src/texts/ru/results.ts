import type * as en from '../en/results.ts';
import { number } from './grammar.ts';

export const results: typeof en.results = {
  noFields: 'Вопросов пока нет',
  noFieldsWhy: 'Добавьте ассистенту вопросы. Здесь подсчитываются ответы на них.',
  none: 'За этот период результатов нет',
  noneWhy: 'Выберите более длинный период или отправьте разговор.',
  show: (count) => (count === 1 ? 'Показать эту сессию' : `Показать эти сессии: ${number.format(count)}`),
  numbers: ([mean, median, min, max]) => `Среднее: ${mean}; медиана: ${median}; от ${min} до ${max}`,
  mean: 'Среднее',
  removed: 'Удалённый вопрос',
  answersTo: (name) => `Ответы на вопрос «${name}»`,
  others: (count) => `Другие ответы: ${number.format(count)}`,
  by: 'группировка',
  byDay: 'По дням',
  differs: (answers) => `Отличается от всех больше, чем случайно: ${answers}`,
  right: (count, of) => `Верно: ${count} из ${of}`,
  wrong: (count, of) => `Неверно: ${count} из ${of}`,
  exportCounts: 'Числа и точность в CSV',
};

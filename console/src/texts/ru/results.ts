import type * as en from '../en/results.ts';
import { plural, number } from './grammar.ts';

export const results: typeof en.results = {
  toAssistant: 'Изменить ассистента',
  noFields: 'Полей пока нет',
  noFieldsWhy: 'Добавьте ассистенту поля. Здесь подсчитываются их значения.',
  none: 'За этот период результатов нет',
  noneWhy: 'Выберите более длинный период или отправьте разговор.',
  noMatchWhy: 'За этот период ни одна сессия не соответствует всем условиям.',
  show: (count) => `Показать ${plural(count, 'эту сессию', 'эти сессии', 'эти сессии')}`,
  numbers: ([mean, median, min, max]) => `Среднее: ${mean}; медиана: ${median}; от ${min} до ${max}`,
  mean: 'Среднее',
  removed: 'Удалённое поле',
  valuesOf: (name) => `Значения поля «${name}»`,
  others: (count) => `Другие значения: ${number.format(count)}`,
  by: 'По',
  byGroup: (name, group) => `${name}, по: ${group}`,
  byDay: 'По дням',
  exportCounts: 'Числа и точность в CSV',
};

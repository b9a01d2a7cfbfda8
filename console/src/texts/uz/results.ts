import type * as en from '../en/results.ts';
import { countOf } from './grammar.ts';

export const results: typeof en.results = {
  noFields: 'Hali savollar yoʻq',
  noFieldsWhy: 'Assistentga savollar qoʻshing. Ularning javoblari shu yerda sanaladi.',
  none: 'Bu davrda natijalar yoʻq',
  noneWhy: 'Uzunroq davrni tanlang yoki suhbat yuboring.',
  show: (count) => `Shu ${countOf(count, 'sessiya')}ni koʻrsatish`,
  numbers: ([mean, median, min, max]) => `Oʻrtacha: ${mean}; mediana: ${median}; ${min} dan ${max} gacha`,
  mean: 'Oʻrtacha',
  removed: 'Olib tashlangan savol',
  answersTo: (name) => `“${name}” savoliga javoblar`,
  others: (count) => `Boshqa javoblar: ${countOf(count, 'sessiya')}`,
  by: 'guruhlash',
  byDay: 'Kunlar boʻyicha',
  differs: (answers) => `Hammasidan tasodifdan koʻra koʻproq farq qiladi: ${answers}`,
  right: (count, of) => `Toʻgʻri: ${of} tadan ${count}`,
  wrong: (count, of) => `Notoʻgʻri: ${of} tadan ${count}`,
  exportCounts: 'Sonlar va aniqlik, CSV',
};

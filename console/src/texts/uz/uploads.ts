import type * as en from '../en/uploads.ts';
import { countOf } from './grammar.ts';

export const uploads: typeof en.uploads = {
  title: 'Yuklashlar',
  drop: 'Yozuvlar yoki papkani shu yerga tashlang',
  chooseFile: 'Fayl tanlash',
  chooseFiles: 'Fayllarni tanlash',
  chooseFolder: 'Papkani tanlash',
  url: 'Yozuv URL manzili',
  submitUrl: 'URL yuborish',
  skipped: (count) => `Audio boʻlmagan ${countOf(count, 'fayl')} oʻtkazib yuborildi.`,
  summary: (accepted, total, failed) =>
    `${total} tadan ${accepted} tasi qabul qilindi${failed === 0 ? '' : `, ${failed} tasida xato`}`,
  retryFailed: (count) => `Yuklanmagan ${countOf(count, 'faylni')} qayta yuklash`,
  clear: 'Roʻyxatni tozalash',
  all: 'Barcha yozuvlar',
  progressOf: (name) => `${name} yuklanmoqda`,
  states: { waiting: 'Kutilmoqda', sending: 'Yuklanmoqda', accepted: 'Qabul qilindi', failed: 'Xato' },
  replayed: 'avval yuborilgan',
  unreadable: 'Faylni oʻqib boʻlmadi. U koʻchirilgan yoki oʻzgartirilgan.',
  empty: (name) => `“${name}” fayli boʻsh. Boshqa fayl tanlang.`,
};

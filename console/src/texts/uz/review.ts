import type * as en from '../en/review.ts';
import { number } from './grammar.ts';

export const walk: typeof en.walk = {
  progress: (count, known, next) =>
    (known === undefined
      ? `${number.format(count)} tasi tekshirildi.`
      : `${number.format(count)} tasi tekshirildi: model qanchalik toʻgʻriligi taxminan ${known} foiz punktigacha aniq.`) +
    (next === undefined ? '' : ` ${next[0]} tada — ${next[1]} gacha.`),
  progressOfAll: (count) =>
    `${number.format(count)} tasi tekshirildi. Aniqlik har bir assistent uchun alohida hisoblanadi:`,
  progressWhy: 'Shuncha tekshiruv bilan 85 % ulush shu foiz punktlarigacha aniq boʻladi.',
  reached: 'Aniqlikni koʻring, boshqa sozlamalarni sinang yoki davom eting.',
  uncounted: 'Bu tekshiruvlar aniqlikda hisobga olinmaydi: suhbatlar tasodifiy tanlanmagan.',
  second:
    'Ikkinchi fikr: birinchi kishining javoblarini koʻrmasdan javob bering. Bu odamlar qanchalik kelishishini koʻrsatadi, tekshiruvlar oʻzgarmaydi. Oʻntadan bittasi yetarli.',
  giveOpinions: 'Ikkinchi fikr bildirish',
  useSample: 'Tasodifiy tanlanmani tekshirish',
  toAccuracy: 'Aniqlikni koʻrsatish',
  none: 'Tekshirilmagan suhbat qolmadi',
  noneWhy: 'Bu roʻyxatdagi barcha suhbatlar tekshirilgan yoki roʻyxat boʻsh.',
  skippedBefore: 'Siz bu suhbatni avval oʻtkazib yuborgansiz.',
  taken: 'Oxirgi suhbat sizdan oldin tekshirilgan, faqat oʻsha tekshiruv hisobga olinadi. Tekshirgan:',
  late: 'Bu suhbatni shu orada boshqa odam tekshirdi. Javoblaringizni ikkinchi fikr sifatida saqlang yoki oʻtkazib yuboring.',
  gone: 'Oxirgi suhbat oʻchirilgan.',
  question: (index, of) => `${index}-savol, jami ${of} ta`,
  next: 'Keyingisi',
  save: 'Tekshiruvni saqlash',
  skip: 'Oʻtkazib yuborish',
  enterAnswer: 'Javob kiritish',
  yourAnswer: 'Sizning javobingiz:',
  same: 'Model ham shunday javob bergan:',
  differs: 'Model boshqacha javob bergan:',
  modelAnswer: 'Model javobi:',
  hidden: 'Savollarga javob berilgach koʻrinadi.',
  open: (count) => `${number.format(count)} ta savol javobsiz. Javob bering yoki ularsiz saqlash uchun davom eting.`,
  nothing: 'Kamida bitta savolga javob bering yoki suhbatni oʻtkazib yuboring.',
};

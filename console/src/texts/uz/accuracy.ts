import type * as en from '../en/accuracy.ts';
import { number, countOf } from './grammar.ts';

export const accuracy: typeof en.accuracy = {
  title: 'Aniqlik',
  detail: (reviews) =>
    `Tasodifiy tanlanmadagi ${countOf(reviews, 'tekshiruv')} boʻyicha. Qavs ichida: hammasi tekshirilganda ulush katta ehtimol bilan shu oraliqda boʻlardi.`,
  range: (lower, upper) => `${lower} dan ${upper} gacha`,
  right: (share, range, count) => `Tekshirilgan ${number.format(count)} tadan ${share} (${range}) toʻgʻri`,
  rightOf: (share, count) => `${number.format(count)} tadan ${share} toʻgʻri`,
  always: (value, share) => `Har doim “${value}” deb javob berilsa, ${share} toʻgʻri boʻlardi`,
  wrong: (count) => `${number.format(count)} ta notoʻgʻri`,
  missed: (count) => `${number.format(count)} tasi topilmagan`,
  invented: (count) => `${number.format(count)} ta toʻqib chiqarilgan`,
  unsure: (count) => `${number.format(count)} ta javobi nomaʼlum`,
  verified: (share) => `Aytilgan iqtibosli qiymatlar: ${share}`,
  unverified: (share) => `Aytilgan iqtibossiz qiymatlar: ${share}`,
  others: (count) =>
    `Tanlanmadan tashqari ${countOf(count, 'tekshiruv')} hisobga olinmaydi, chunki odamlar xato koʻringan suhbatlarni ochadi.`,
  fallback: (count) => `Zaxira provayder qiymatlarining ${countOf(count, 'tekshiruv')}i hisobga olinmaydi.`,
  agree: (share, range, count) =>
    `Ikki kishining fikri ${number.format(count)} tadan ${share} holatda bir xil (${range})`,
  kappa: {
    low: 'tasodifdan deyarli koʻp emas',
    middle: 'tasodifdan aniq koʻproq, lekin savolni turlicha tushunish mumkin',
    high: 'deyarli har doim va tasodifdan ancha koʻp',
  },
  opinions: (count) =>
    `Ikki kishi ${countOf(count, 'suhbat')}ni tekshirgan. Aniqlikni ularning kelishuvidan yaxshiroq bilib boʻlmaydi.`,
  giveOpinions: 'Ikkinchi fikr bildirish',
  disputed: (count) => `Ikki kishi ${countOf(count, 'suhbat')} haqida kelishmagan: hal qiling`,
  invite: 'Bu qiymatlarga ishonsa boʻladimi?',
  inviteDetail:
    'Tasodifiy tanlanmani tekshiring, shunda bu sahifa har bir qiymat qanchalik koʻp toʻgʻri ekanini koʻrsatadi. 30 ta tekshiruv 20 daqiqacha vaqt oladi.',
  review: '30 ta suhbatni tekshirish',
  reviewMore: 'Suhbatlarni tekshirish',
};

export const experiment: typeof en.experiment = {
  title: 'Yangi sozlamalar yaxshiroqmi?',
  running: 'Ommaviy amal tugagach, bu sahifa natijalarni tekshiruvlaringiz bilan taqqoslaydi.',
  verdicts: {
    better: 'Yaxshiroq',
    worse: 'Yomonroq',
    same: 'Deyarli bir xil',
    unclear: 'Farq aniqlanmadi',
    not_compared: 'Taqqoslanmaydi',
  },
  notReviewed: 'Tekshirilmagan',
  rates: (after, before, count) => `${countOf(count, 'suhbat')}dan ${before} oʻrniga ${after} toʻgʻri`,
  more: (lower, upper) => `${lower}–${upper} punktga koʻp`,
  fewer: (lower, upper) => `${lower}–${upper} punktga kam`,
  fixed: (fixed, broken) => `${number.format(fixed)} tasi toʻgʻri, ${number.format(broken)} tasi notoʻgʻri boʻldi.`,
  unlikely: '5 punktdan katta farq ehtimoli kam.',
  moreReviews: (count) => `Yana taxminan ${countOf(count, 'tekshiruv')} 5 punktlik farqni koʻrsatgan boʻlardi.`,
  enough: '5 punktlik farqlarning koʻpini koʻrsatish uchun tekshiruvlar yetarli. Bundan kichik farq boʻlishi mumkin.',
  chosen:
    'Bu suhbatlar natijasiga qarab yoki qoʻlda tanlangan, shuning uchun ular tasodifiy tanlanma emas. Sozlamalarni barcha tekshirilgan suhbatlarda sinang.',
  questionChanged: 'Savol oʻzgargan.',
  longTexts: 'Toʻgʻri javoblar uzun matnlar, ularni har kim oʻzicha yozadi.',
  noAnswers: 'Birorta tekshiruv bu savolga javob bermaydi.',
  compared: (count) => `Taqqoslandi: tasodifiy tanlanmadagi ${countOf(count, 'tekshirilgan suhbat')}.`,
  part: 'Tekshirilgan suhbatlarning 5000 tasi taqqoslanadi.',
  notCompared: (parts) => `Taqqoslanmadi: ${parts}.`,
  failed: (count) => `${number.format(count)} tasi xato bilan tugagan`,
  fallback: (count) => `${number.format(count)} tasiga zaxira provayder javob bergan`,
  formerFallback: (count) => `${number.format(count)} tasiga oldin zaxira provayder javob bergan`,
  leftOut: (count) => `${number.format(count)} tasida oldingi savol boshqa`,
  outside: (count) => `${number.format(count)} tasi tanlanmadan tashqari`,
  tests: (count) => `Bu suhbatlarda ${number.format(count)}-sinov. Natijani tasdiqlash uchun yangilarini tekshiring.`,
  none: 'Bu suhbatlarning birortasi tekshirilmagan',
  noneDetail: 'Tasodifiy tanlanmani tekshiring. Soʻng sozlamalarni tekshirilgan suhbatlarda sinang.',
  table: 'Oldingi va keyingi toʻgʻri qiymatlar',
  result: 'Natija',
  before: 'Oldin toʻgʻri',
  after: 'Keyin toʻgʻri',
  points: 'Punktlar',
  fixedCount: 'Toʻgʻri boʻldi',
  brokenCount: 'Notoʻgʻri boʻldi',
  use: 'Shu sozlamalarni qoʻllash',
  useTitle: 'Shu sozlamalar yangi suhbatlarga qoʻllansinmi?',
  useVersion: (version) => `Assistent ${version}-versiyaning barcha sozlamalarini oladi.`,
  useOverrides: (names) => `Assistentning almashtiriladigan sozlamalari: ${names}.`,
  worse: (fields) => `Shu sozlamalar bilan yomonroq: ${fields}.`,
  changed: (version) =>
    `Assistent bu ommaviy amal boshlanganidan keyin oʻzgargan. Uning ${version}-versiyasi sinovda qatnashmagan.`,
  changes: 'Oʻzgarishlarni koʻrish',
  again:
    'Kimdir hozirgina assistentni oʻzgartirdi. Hech narsa saqlanmadi. Shu sozlamalar hali ham kerak boʻlsa, yana tasdiqlang.',
  inUse: 'Assistent shu sozlamalardan foydalanmoqda.',
  test: (count) => `${countOf(count, 'tekshirilgan suhbat')}da sinash`,
};

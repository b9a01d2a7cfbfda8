import type { ConsoleLanguage } from '../../../../contract/values/constants.ts';
import type * as en from '../en/common.ts';
import type { Locale } from '../locale.ts';
import { NUMBERS } from './grammar.ts';

export const common: typeof en.common = {
  actions: 'Amallar',
  product: 'Suhbatlar tahlili',
  tryAgain: 'Qayta urinish',
  loading: 'Yuklanmoqda…',
  requestId: (id) => `Soʻrov ID: ${id}`,
  notFound: 'Sahifa topilmadi',
  notFoundDetail: 'Manzil notoʻgʻri yoki obyekt oʻchirilgan boʻlishi mumkin.',
  toStart: 'Umumiy koʻrinishga oʻtish',
  sessions: 'Sessiyalar',
  showSessions: 'Sessiyalarni koʻrsatish',
  deliveries: 'Yetkazishlar',
  experiments: 'Tajribalar',
};

export const shell: typeof en.shell = {
  results: 'Natijalar',
  navigation: 'Asosiy menyu',
  review: 'Tekshirish',
  openMenu: 'Menyuni ochish',
  closeMenu: 'Menyuni yopish',
  skip: 'Asosiy qismga oʻtish',
  overview: 'Umumiy koʻrinish',
  start: 'Yangi suhbat',
  sessions: 'Sessiyalar va jurnal',
  assistants: 'Assistentlar',
  usage: 'Sarf',
  settings: 'Sozlamalar',
  system: 'Tizim',
  apiDocs: 'API maʼlumotnomasi',
  logOut: 'Chiqish',
  away: (time) => `${time} dan beri server bilan aloqa yoʻq. Qayta ulanmoqda…`,
  offline: 'Internet aloqasi yoʻq. Oxirgi maʼlum maʼlumotlar koʻrsatilmoqda.',
  noWorker: (since) =>
    `${since === null ? 'Birorta' : `${since} dan beri birorta`} vorker ishlamayapti. Sessiyalar va yetkazishlar vorker ishga tushishini kutmoqda.`,
  broke: 'Xatolik yuz berdi',
  brokeDetail: 'Sahifani qayta yuklang. Xato takrorlansa, administratorga murojaat qiling.',
  reload: 'Qayta yuklash',
  language: 'Til',
  palette: {
    title: 'Qidirish va oʻtish',
    button: 'Qidirish',
    placeholder: 'Qidiring yoki ID kiriting',
  },
};

export const problem: typeof en.problem = {
  away: 'Server bilan aloqa yoʻq',
  awayDetail:
    'Server qayta ishga tushayotgan yoki aloqa uzilgan boʻlishi mumkin. Bir necha soniyadan keyin qayta urinib koʻring.',
  codes: {
    unauthorized: { title: 'Hisobga kirilmagan', detail: 'Kiring va amalni takrorlang.' },
    not_found: { title: 'Topilmadi' },
    validation_failed: { title: 'Baʼzi qiymatlar notoʻgʻri', detail: 'Ularni tuzating va qayta urinib koʻring.' },
  },
};

const MONTHS = ['yan', 'fev', 'mar', 'apr', 'may', 'iyn', 'iyl', 'avg', 'sen', 'okt', 'noy', 'dek'];

export const locale: Locale = { dates: 'en-GB', numbers: NUMBERS, months: MONTHS };

export const language: ConsoleLanguage = 'uz';

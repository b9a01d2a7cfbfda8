import type * as en from '../en/overview.ts';
import { countOf } from './grammar.ts';

export const overview: typeof en.overview = {
  disk: 'Yozuvlar diski',
  counts: {
    sessions: () => 'sessiya',
    failed: () => 'xato bilan tugagan',
    delivered: () => 'yetkazilgan',
    pending: () => 'hali yetkazilmagan',
    undelivered: () => 'yetkazish xato bilan tugadi',
  },
  retrying: (count) => `${countOf(count, 'yetkazish')} takrorlanmoqda.`,
  spent: 'sarflandi',
  none: 'Bu davrda faollik yoʻq',
  first: {
    detail:
      'Assistent har bir suhbat haqida savollaringizni beradi. Andoza tanlang va birinchi suhbatni qoʻying yoki tashlang.',
    title: 'Birinchi qadamlar',
  },
  state: {
    unknown: 'Holat nomaʼlum: server javob bermayapti. Quyidagi maʼlumotlar eskirgan boʻlishi mumkin.',
    good: 'Hech narsa eʼtibor talab qilmaydi.',
    problems: (count) => `${countOf(count, 'muammo')} eʼtibor talab qiladi.`,
    list: 'Muammolar',
  },
  down: (provider, reason, since) =>
    `${provider} provayderiga soʻrovlar ${since} dan beri xato bilan tugamoqda: ${reason}.`,
  waits: (count) => `${countOf(count, 'sessiya')} kutmoqda.`,
  paused: 'Soʻrovlar toʻxtatib turilgan, yakka sinov soʻrovlaridan tashqari.',
  nextTry: 'Keyingi urinish',
  queued: (count, since) => `Navbatda ${countOf(count, 'sessiya')}, eng eskisi ${since} dan beri.`,
  receiver: (host, cause, since) => `${host} ${since} dan beri yetkazishlarni qabul qilmayapti: ${cause}.`,
  acceptsAgain: (host, until, since) => `${host} ${until} gacha qabul qilmadi, ${since} dan beri qabul qilmoqda.`,
  undelivered: (count) => `${countOf(count, 'yetkazish')} xato bilan tugadi va qayta yuborilmadi.`,
  failures: (count, cause, last) => `${countOf(count, 'sessiya')} xato bilan tugadi, oxirgisi ${last}: ${cause}.`,
  full: (store, used, size, share) =>
    `${store}: ${size} dan ${used} band (${share}). Sessiyalarni oʻchiring yoki chegarani oshiring.`,
  showDeliveries: 'Yetkazishlarni koʻrsatish',
  retry: 'Takrorlash…',
};

import type * as en from '../en/system.ts';
import { number } from './grammar.ts';

export const system: typeof en.system = {
  service: 'Xizmat',
  state: 'Holati',
  ready: 'Tayyor',
  problems: {
    'the database does not respond': 'maʼlumotlar bazasi javob bermayapti',
    'the database is not migrated': 'maʼlumotlar bazasiga migratsiyalar qoʻllanmagan',
    'the database is read-only': 'maʼlumotlar bazasi faqat oʻqish uchun ochiq',
    'the disk of the database is full': 'maʼlumotlar bazasining diski toʻlgan',
    'Temporal does not respond': 'Temporal javob bermayapti',
    'no worker is running': 'birorta vorker ishlamayapti',
    'no release of the workers is current, so no session starts: run npm run release':
      'vorkerlarning hech bir relizi joriy emas, shuning uchun sessiyalar boshlanmaydi: npm run release buyrugʻini bajaring',
    'no worker of the current release is running, so no session starts: start one, or run npm run release':
      'joriy relizning birorta vorkeri ishlamayapti, shuning uchun sessiyalar boshlanmaydi: uni ishga tushiring yoki npm run release buyrugʻini bajaring',
    'the disk for recordings is full: uploads are refused': 'yozuvlar diski toʻlgan, yuklashlar rad etiladi',
    'the store of recordings does not work: uploads are refused':
      'yozuvlar ombori ishlamayapti, yuklashlar rad etiladi',
  },
  notReady: (problems) => `Tayyor emas: ${problems}`,
  providers: 'Provayderlar',
  down: (reason) => `Ishlamayapti (${reason}), boshlanishi:`,
  recordings: 'Yozuvlar',
  conversations: 'Suhbatlar',
  readyBut: (warnings) => `Tayyor, lekin: ${warnings}`,
  workers: 'Vorkerlar',
  workersRunning: (count) => (count === 0 ? 'Birorta vorker ishlamayapti' : `${number.format(count)} tasi ishlayapti`),
  queue: 'Navbatingiz',
  waiting: (count) => `${number.format(count)} tasi navbatda`,
  oldest: 'eng eskisi',
  freeSpace: { recordings: 'Yozuvlar uchun boʻsh joy', database: 'Maʼlumotlar bazasi uchun boʻsh joy' },
  temporal: 'Temporal interfeysi',
  configured: 'Sozlangan',
  simulated: 'Simulyatsiya',
  noKey: 'Sozlanmagan',
};

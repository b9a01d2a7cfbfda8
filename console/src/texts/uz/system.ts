import type * as en from '../en/system.ts';
import { number } from './grammar.ts';

export const system: typeof en.system = {
  service: 'Xizmat',
  state: 'Holati',
  ready: 'Tayyor',
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

import type * as en from '../en/members.ts';
import { number } from './grammar.ts';

export const members: typeof en.members = {
  detail: 'Aʼzolar ish muhitining barcha sessiyalarini koʻradi, ularni kim yuborganidan qatʼi nazar.',
  role: 'Rol',
  roleOf: (name) => `Rol: ${name}`,
  signsIn: 'Kirish usuli',
  ways: { sso: 'yagona kirish', second_factor: 'ikkinchi omil', password: 'parol' },
  joined: 'Qoʻshilgan',
  you: 'siz',
  remove: 'Chiqarish',
  removeTitle: (name) => `Aʼzo “${name}” chiqarilsinmi?`,
  removeDetail: 'U kirish huquqini darhol yoʻqotadi. Sessiyalar va assistentlar qoladi.',
  tokens: (count) => `Aʼzo yaratgan API tokenlari (${number.format(count)}):`,
  ownTokens: (count) => `Shu ish muhitidagi API tokenlaringiz: ${number.format(count)}.`,
  lastUsed: 'ishlatilgan:',
  tokenChoices: { keep: 'Ishlashda davom etsin', revoke: 'Oʻchirib qoʻyilsin' },
  invite: 'Aʼzo taklif qilish',
  linkReady: 'Taklif havolasi',
  linkDetail: (email) =>
    `Bu havolani ${email} manziliga yuboring. U bir marta koʻrsatiladi, bir marta ishlaydi va 7 kunda tugaydi.`,
  linkMailed: (email) => `Bu havola ${email} manziliga ham yuborildi. U bir marta ishlaydi va 7 kunda tugaydi.`,
  pending: 'Ochiq takliflar',
  newLink: 'Yangi havola',
};

import type * as en from '../en/invitation.ts';

export const invitation: typeof en.invitation = {
  title: (workspace) => `“${workspace}” ga qoʻshilish`,
  detail: (inviter, role) => `${inviter} sizni taklif qiladi. Rolingiz: ${role}.`,
  checking: 'Taklif',
  accept: 'Qoʻshilish',
  loggedInAs: (email) => `Siz ${email} sifatida kirgansiz.`,
  other: (invited, own) =>
    `Bu taklif ${invited} uchun, siz esa ${own} sifatida kirgansiz. Chiqing va taklif qilingan manzil bilan davom eting.`,
  createAccount: 'Hisob yaratish va qoʻshilish',
  gone: 'Bu taklif yaroqsiz',
  goneDetail: 'Uning muddati tugagan, u qabul qilingan yoki bekor qilingan. Yangisini soʻrang.',
};

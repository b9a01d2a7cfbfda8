import type * as en from '../en/share.ts';

export const share: typeof en.share = {
  title: 'Havola orqali ulashish',
  detail:
    'Havolasi bor har bir kishi tanlangan qismlarni kirmasdan koʻradi. Yozuvlar va yashirilgan asl qiymatlar hech qachon koʻrsatilmaydi.',
  parts: {
    summary: 'Xulosa',
    fields: 'Maydonlar',
    conversation: 'Suhbat',
    verdict: 'Baho',
    settings: 'Sinalgan sozlamalar',
  },
  days: 'Amal qilish muddati',
  dayChoices: { '1': '1 kun', '7': '7 kun', '30': '30 kun', '90': '90 kun' },
  create: 'Havola yaratish',
  once: 'Havolani hozir nusxalang. U faqat bir marta koʻrsatiladi.',
  link: 'Havola',
  open: 'Amaldagi havolalar',
  until: 'gacha:',
  revoke: 'Bekor qilish',
  choose: 'Kamida bitta qismni tanlang.',
  gone: 'Bu havola endi ishlamaydi',
  goneDetail: 'Muddati tugagan, bekor qilingan yoki maʼlumotlar oʻchirilgan. Yangisini soʻrang.',
  by: (name) => `Ulashgan: ${name}`,
};

import type * as en from '../en/workspaces.ts';

export const settings: typeof en.settings = {
  tokens: 'API tokenlari',
  account: 'Hisob',
  security: 'Xavfsizlik',
  audit: 'Audit jurnali',
};

export const workspaces: typeof en.workspaces = {
  address: 'API ning asosiy URL manzili',
  general: 'Umumiy',
  members: 'Aʼzolar',
  switch: 'Ish muhitini almashtirish',
  filter: 'Ish muhitini topish',
  create: 'Yangi ish muhiti',
  createDetail:
    'Har bir ish muhitining oʻz assistentlari, sessiyalari, tokenlari va byudjeti bor. Yangisining egasi siz boʻlasiz.',
  role: 'Sizning rolingiz',
  roles: {
    owner: 'Ega',
    admin: 'Administrator',
    developer: 'Dasturchi',
    analyst: 'Tahlilchi',
    reviewer: 'Tekshiruvchi',
    auditor: 'Auditor',
  },
  roleHints: {
    owner: 'Barcha huquqlarga ega. Egalar va kirish qoidasini boshqaradi, ish muhitini oʻchira oladi.',
    admin: 'Aʼzolar, byudjet va barcha maʼlumotlarni boshqaradi. Egalarni boshqarmaydi, ish muhitini oʻchirmaydi.',
    developer: 'Assistentlar, webhooklar, sessiyalar va API tokenlarini boshqaradi.',
    analyst:
      'Promptlarni oʻzgartiradi, suhbatlarni yuboradi va qayta tahlil qiladi. Sessiyalarni oʻchirmaydi, webhook belgilamaydi.',
    reviewer:
      'Sessiyalarni oʻqiydi va tekshiradi, oʻqiganini koʻchirib olishi mumkin. Yuklab olmaydi, ulashmaydi, boshqa narsani oʻzgartirmaydi.',
    auditor: 'Audit jurnali bilan birga hammasini oʻqiydi. Hech narsani oʻzgartirmaydi.',
  },
  signIn: 'Kirish',
  signInPolicies: { any: 'Har qanday kirish usuli', second_factor: 'Ikkinchi omil', sso: 'Yagona kirish' },
  signInHint: 'Aʼzolarga, sizga ham, bu ish muhitini ochish uchun nima kerak. API tokenlariga taʼsir qilmaydi.',
  leave: 'Ish muhitidan chiqish',
  leaveDetail:
    'Kirish huquqini darhol yoʻqotasiz, shu ish muhitidagi API tokenlaringiz oʻchirib qoʻyiladi. Sessiyalar va assistentlar ish muhitida qoladi.',
  leaveTitle: (name) => `“${name}” ish muhitidan chiqasizmi?`,
  delete: 'Ish muhitini oʻchirish',
  deleteDetail: 'Ish muhitini barcha maʼlumotlari bilan, barcha aʼzolar uchun oʻchiradi. Buni qaytarib boʻlmaydi.',
  outside: 'Siz bu ish muhitining aʼzosi emassiz',
  outsideDetail: 'Aʼzoligingiz tugagan, ish muhiti oʻchirilgan yoki manzil notoʻgʻri.',
  nowhere: 'Siz hech qaysi ish muhitining aʼzosi emassiz',
  nowhereDetail: 'Yangisini yarating yoki hamkasbingizdan taklif soʻrang.',
  open: (name) => `Ochish: ${name}`,
  forbidden: 'Rolingiz bu sahifaga ruxsat bermaydi',
  forbiddenDetail: (role, roles) => `Bu ish muhitidagi rolingiz: ${role}. Sahifa ochiq rollar: ${roles}.`,
};

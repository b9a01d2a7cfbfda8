import type * as en from '../en/account.ts';

export const account: typeof en.account = {
  profile: 'Profil',
  passwordNote: 'Boshqa barcha joylarda hisobdan chiqiladi.',
  revokeTokens: 'API tokenlarini ham oʻchirib qoʻyish',
  revokeTokensHint: 'Tokenlaringiz bilan ishlaydigan dasturlar yangisini bermaguningizcha ishlamaydi.',
  changePassword: 'Parolni oʻzgartirish',
  passwordChanged: 'Parol oʻzgartirildi. Boshqa barcha joylarda hisobdan chiqildi.',
  logins: 'Faol seanslar',
  kinds: { console: 'Brauzer', token: 'Kirish tokeni' },
  thisOne: 'hozirgi',
  program: (browser, system) => `${browser}, ${system}`,
  since: 'Boshlangan',
  end: 'Tugatish',
  browser: 'Shu brauzer',
  data: {
    title: 'Maʼlumotlaringiz',
    export: 'Maʼlumotlarni yuklab olish',
    exportDetail:
      'Profil, assistentlar, sessiyalar, yozuvlar, yetkazishlar va tokenlar bilan ZIP fayl, maxfiy kalitlarsiz.',
    delete: 'Hisobni oʻchirish',
    deleteDetail: 'Hisobingizni va undagi barcha maʼlumotlarni oʻchiradi. Buni qaytarib boʻlmaydi.',
    question: 'Hisobingiz oʻchirilsinmi?',
    consequences: [
      'Darhol oʻchiriladi: seanslar, API tokenlari va assistentlar. Bajarilayotgan sessiyalar va kutilayotgan yetkazishlar toʻxtaydi.',
      'Bir necha daqiqada oʻchiriladi: natijalari bilan sessiyalar, yozuvlar va yetkazishlar.',
      'Saqlanadi: audit jurnali bir yil, oylik xarajatlar esa anonim ID ostida.',
      'Kerak boʻlsa, avval maʼlumotlaringizni yuklab oling.',
    ],
  },
};

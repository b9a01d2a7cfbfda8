import type * as en from '../en/login.ts';

export const login: typeof en.login = {
  title: 'Kirish',
  subtitle: 'Suhbatlaringiz natijalari va ularning yetkazilishi.',
  submit: 'Kirish',
  noAccount: 'Hisobingiz yoʻqmi?',
  register: 'Hisob yaratish',
  ended: 'Seans tugadi. Davom etish uchun qayta kiring.',
  endedHere: 'Seans tugadi. Qayta kiring: bu sahifada kiritganlaringiz saqlanib qoladi.',
  refused: { title: 'Kirib boʻlmadi', detail: 'Email yoki parol notoʻgʻri.' },
  noCookie: {
    title: 'Brauzer kirish cookie-faylini saqlamadi',
    detail:
      'Kirishning oʻzi muvaffaqiyatli boʻldi. Bu saytga cookie-fayllarga ruxsat bering, uni odatdagi manzilida oching va qayta kiring.',
  },
  signInWith: (provider) => `${provider} orqali kirish`,
  deleted: 'Hisob oʻchirildi.',
  or: 'yoki',
  forgot: 'Parolni unutdingizmi?',
  endSso: (provider) => `${provider} hisobidan ham chiqish`,
  errors: {
    sso_unavailable: 'Yagona kirish hozir ishlamayapti. Bir necha daqiqadan keyin qayta urining.',
    sso_expired:
      'Kirish oʻn daqiqadan oshdi, boshqa brauzerda boshlangan yoki brauzer uning cookie-faylini saqlamagan. Qayta urining.',
    sso_refused: 'Kirish bekor qilindi yoki tekshiruvdan oʻtmadi. Qayta urining.',
    email_unverified: 'Provayder email manzilingizni tasdiqlamagan. Uni oʻsha yerda tasdiqlab, qayta urining.',
    not_allowed: 'Email domeningiz yoki guruhingizga ruxsat yoʻq. Administratorga murojaat qiling.',
    no_account: 'Bu yerda hisobingiz yoʻq. Administratordan taklif soʻrang.',
    account_disabled: 'Hisobingiz oʻchirib qoʻyilgan. Administratorga murojaat qiling.',
    other_person: 'Bu kirishning email manzili yoki hisobi boshqa. Oʻz hisobingizdagi manzil bilan kiring.',
  },
};

export const register: typeof en.register = {
  title: 'Hisob yaratish',
  subtitle: 'Hisobda assistentlaringiz, sessiyalaringiz va API tokenlaringiz saqlanadi.',
  submit: 'Hisob yaratish',
  hasAccount: 'Hisobingiz bormi?',
};

export const reset: typeof en.reset = {
  title: 'Parolni tiklash',
  subtitle: 'Email orqali havola olasiz. U bir soat amal qiladi.',
  noMail: 'Bu server email yubormaydi. Havolani uning administratoridan soʻrang.',
  send: 'Havola yuborish',
  sent: (email) => `${email} manzilida hisob boʻlsa, havola yuborildi. Spam jildini ham tekshiring.`,
  back: 'Kirishga qaytish',
  badLink: 'Havola ishlatilgan yoki muddati tugagan. Yangisini soʻrang.',
  setTitle: 'Yangi parol',
  setSubtitle: 'Barcha joylarda hisobdan chiqiladi.',
  set: 'Parolni oʻrnatish',
  done: 'Parol oʻzgartirildi. Endi u bilan kiring.',
};

export const confirmEmail: typeof en.confirmEmail = {
  title: 'Email manzilni tasdiqlash',
  confirm: 'Manzilni tasdiqlash',
  done: (email) => `${email} — hisobingizning tasdiqlangan manzili.`,
  badLink: 'Havola ishlatilgan, muddati tugagan yoki boshqa hisobga tegishli. Yangisini soʻrang.',
  toSecurity: 'Xavfsizlik sozlamalarini ochish',
};

export const link: typeof en.link = {
  title: 'Hisobni ulash',
  subtitle: (email, provider) =>
    `${email} manzilida hisob bor. Keyin ${provider} orqali kirish uchun uning parolini bir marta kiriting.`,
  codeSubtitle: (email) => `${email} hisobida ikkinchi omil yoqilgan. Kirish uchun kodni kiriting.`,
  submit: 'Ulash va kirish',
};

export const proof: typeof en.proof = {
  title: 'Shaxsingizni tasdiqlang',
  detail: 'Davom etish uchun shaxsingizni tasdiqlang. Tasdiq oʻn daqiqa amal qiladi.',
  ssoDetail: 'Keyin shu sahifaga qaytasiz. Soʻng amalni takrorlang.',
  confirm: 'Tasdiqlash',
};

export const policy: typeof en.policy = {
  sso: 'Bu ish muhiti yagona kirishni talab qiladi.',
  second_factor: 'Bu ish muhiti ikkinchi omilni talab qiladi.',
  setUp: 'Ikkinchi omilni sozlash',
  enterCode: 'Kod kiritish',
};

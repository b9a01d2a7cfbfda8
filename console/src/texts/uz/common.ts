import type * as en from '../en/common.ts';
import type { Locale } from '../locale.ts';
import { NUMBERS } from './grammar.ts';

export const common: typeof en.common = {
  product: 'Suhbatlar tahlili',
  cancel: 'Bekor qilish',
  discardTitle: 'Oʻzgarishlardan voz kechasizmi?',
  discardDetail: 'Bu sahifada saqlanmagan oʻzgarishlar bor.',
  discard: 'Voz kechish',
  keepEditing: 'Tahrirlashda davom etish',
  typeToConfirm: (text) => `Tasdiqlash uchun ${text} deb yozing`,
  close: 'Yopish',
  copy: 'Nusxalash',
  copied: 'Nusxalandi',
  copyOf: (label) => `Nusxalash: ${label}`,
  curl: 'cURL',
  copyCurl: 'cURL sifatida nusxalash',
  tryAgain: 'Qayta urinish',
  clearFilters: 'Filtrlarni tozalash',
  loading: 'Yuklanmoqda…',
  none: 'Yoʻq',
  unknown: 'Nomaʼlum',
  optional: 'ixtiyoriy',
  requestId: (id) => `Soʻrov ID: ${id}`,
  atLeast: (amount) => `≥ ${amount}`,
  atLeastWhy: 'Kamida bitta chaqiruvning narxi nomaʼlum.',
  more: 'Yana koʻrsatish',
  notifications: 'Bildirishnomalar',
  notFound: 'Sahifa topilmadi',
  notFoundDetail: 'Manzil notoʻgʻri yoki obyekt oʻchirilgan boʻlishi mumkin.',
  toStart: 'Umumiy koʻrinishga oʻtish',
  due: 'hozir',
  inTime: (time) => `${time} oʻtgach`,
  created: 'Yaratilgan',
  actions: 'Amallar',
  done: 'Tayyor',
  name: 'Nomi',
  save: 'Saqlash',
  saved: 'Saqlandi.',
  sessions: 'Sessiyalar',
  deliveries: 'Yetkazishlar',
  batches: 'Ommaviy amallar',
};

export const shell: typeof en.shell = {
  navigation: 'Asosiy menyu',
  review: 'Suhbatlarni tekshirish',
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
  theme: 'Mavzu',
  themes: { system: 'Tizim boʻyicha', light: 'Yorugʻ', dark: 'Qorongʻi' },
  timeZone: 'Vaqt mintaqasi',
  timeZones: { local: 'Mahalliy', utc: 'UTC' },
  away: (time) => `${time} dan beri server bilan aloqa yoʻq. Qayta ulanmoqda…`,
  offline: 'Internet aloqasi yoʻq. Oxirgi maʼlum maʼlumotlar koʻrsatilmoqda.',
  noWorker: (since) =>
    `${since === null ? 'Birorta' : `${since} dan beri birorta`} vorker ishlamayapti. Sessiyalar va yetkazishlar vorker ishga tushishini kutmoqda.`,
  broke: 'Xatolik yuz berdi',
  brokeDetail: 'Sahifani qayta yuklang. Xato takrorlansa, administratorga murojaat qiling.',
  reload: 'Qayta yuklash',
  language: 'Til',
  browserLanguage: 'Brauzer tili',
  palette: {
    title: 'Qidirish va oʻtish',
    button: 'Qidirish va oʻtish…',
    placeholder: 'Qidiring yoki ID kiriting',
  },
};

export const problem: typeof en.problem = {
  away: 'Server bilan aloqa yoʻq',
  awayDetail:
    'Server qayta ishga tushayotgan yoki aloqa uzilgan boʻlishi mumkin. Bir necha soniyadan keyin qayta urinib koʻring.',
  codes: {
    malformed_request: {
      title: 'Soʻrovni oʻqib boʻlmadi',
      detail: 'Amalni takrorlang. Xato qolsa, sahifani qayta yuklang.',
    },
    second_factor_required: { title: 'Ikkinchi omil kodi kerak', detail: 'Ikkinchi omil kodini kiriting.' },
    groups_not_allowed: {
      title: 'Bu ish muhitida guruhlar rol bermaydi',
      detail: 'Server administratoridan uni OIDC_GROUP_WORKSPACES ga qoʻshishni soʻrang.',
    },
    not_a_person: { title: 'API tokenlariga bu mumkin emas', detail: 'Konsolga kiring va amalni takrorlang.' },
    insecure_origin: { title: 'Sahifa manzili xavfsiz emas' },
    method_not_allowed: {
      title: 'Usul qoʻllab-quvvatlanmaydi',
      detail: 'Sahifani qayta yuklang va amalni takrorlang.',
    },
    request_timeout: { title: 'Soʻrov juda uzoq yuborildi', detail: 'Ulanishni tekshiring va qayta urinib koʻring.' },
    range_not_satisfiable: {
      title: 'Yozuvda bunday boʻlak yoʻq',
      detail: 'Sahifani qayta yuklang va yozuvni yana ijro eting.',
    },
    misdirected_request: {
      title: 'Server bu xost nomiga xizmat koʻrsatmaydi',
      detail: 'Konsolni serverning boshqa nomi bilan oching yoki bu nomni ALLOWED_HOSTS ga qoʻshing.',
    },
    idempotency_key_reused: {
      title: 'Idempotentlik kaliti boshqa soʻrov uchun ishlatilgan',
      detail: 'Sahifani qayta yuklang va amalni takrorlang.',
    },
    audio_rejected: { title: 'Bu manzildagi yozuv rad etildi', detail: 'Tafsilotlar sessiya sahifasida.' },
    headers_too_large: {
      title: 'Soʻrov sarlavhalari juda katta',
      detail: 'Bu saytning cookie fayllarini oʻchiring va qayta urinib koʻring.',
    },
    audio_unreachable: { title: 'Yozuvni yuklab olib boʻlmadi', detail: 'Tafsilotlar sessiya sahifasida.' },
    unauthorized: { title: 'Hisobga kirilmagan', detail: 'Kiring va amalni takrorlang.' },
    budget_exceeded: {
      title: 'Oylik byudjet tugadi',
      detail: '“Sarf” sahifasida byudjetni oshiring va qayta urinib koʻring.',
    },
    insufficient_scope: {
      title: 'Ruxsat yoʻq',
      detail: 'Ish muhitidagi rolingiz bunga ruxsat bermaydi. Ish muhiti egasiga murojaat qiling.',
    },
    no_workspace: {
      title: 'Ish muhiti yoʻq',
      detail: 'Siz hech qaysi ish muhiti aʼzosi emassiz. Ish muhitini yarating yoki taklifni qabul qiling.',
    },
    registration_closed: { title: 'Roʻyxatdan oʻtish yopiq' },
    password_login_off: { title: 'Parol bilan kirish oʻchirilgan', detail: 'Yagona kirish orqali kiring.' },
    proof_required: {
      title: 'Siz ekaningiz tasdiqlanmagan',
      detail: 'Amalni takrorlang va siz ekaningizni tasdiqlang.',
    },
    stronger_login_required: { title: 'Ish muhiti kuchliroq kirishni talab qiladi' },
    not_found: { title: 'Topilmadi' },
    email_taken: {
      title: 'Bu email manzil allaqachon roʻyxatdan oʻtgan',
      detail: 'U bilan kiring yoki boshqa manzil kiriting.',
    },
    conflict: { title: 'Hozirgi holatda mumkin emas' },
    last_owner: { title: 'Ish muhitiga yana bir ega kerak' },
    quota_exceeded: { title: 'Chegaraga yetildi' },
    precondition_failed: {
      title: 'Boshqa kishi oʻzgartirgan',
      detail: 'Sahifani qayta yuklang va oʻzgarishni takrorlang.',
    },
    payload_too_large: {
      title: 'Hajmi juda katta',
      detail: 'Maʼlumotni qisqartiring yoki boʻling va qayta urinib koʻring.',
    },
    unsupported_media_type: { title: 'Fayl formati qoʻllab-quvvatlanmaydi', detail: 'Boshqa fayl tanlang.' },
    validation_failed: { title: 'Baʼzi qiymatlar notoʻgʻri', detail: 'Ularni tuzating va qayta urinib koʻring.' },
    rate_limited: { title: 'Soʻrovlar juda koʻp' },
    internal_error: {
      title: 'Ichki xato',
      detail: 'Qayta urinib koʻring. Xato takrorlansa, soʻrov raqamini administratorga yuboring.',
    },
    provider_failed: { title: 'Provayder xatosi', detail: 'Tafsilotlar sessiya sahifasida.' },
    mail_unavailable: {
      title: 'Bu server email yubormaydi',
      detail: 'Server administratoriga murojaat qiling.',
    },
    unavailable: { title: 'Vaqtincha mavjud emas' },
  },
};

export const fields: typeof en.fields = {
  yes: 'Ha',
  no: 'Yoʻq',
  conditions: 'Maydon shartlari',
  remove: (condition) => `Olib tashlash: ${condition}`,
  operators: { eq: '=', ne: '≠', gt: '>', gte: '≥', lt: '<', lte: '≤' },
  states: { null: 'aytilmagan', not_null: 'aytilgan', unverified: 'tasdiqlanmagan' },
};

const MONTHS = ['yan', 'fev', 'mar', 'apr', 'may', 'iyn', 'iyl', 'avg', 'sen', 'okt', 'noy', 'dek'];

const UNITS: Partial<Record<Intl.RelativeTimeFormatUnit, string>> = {
  second: 'soniya',
  minute: 'daqiqa',
  hour: 'soat',
  day: 'kun',
};

/** Returns "3 daqiqa oldin" or "2 kundan keyin". */
const relative = (count: number, unit: Intl.RelativeTimeFormatUnit) =>
  count === 0 ? 'hozir' : `${Math.abs(count)} ${UNITS[unit] ?? unit}${count < 0 ? ' oldin' : 'dan keyin'}`;

export const locale: Locale = { dates: 'en-GB', numbers: NUMBERS, words: { months: MONTHS, relative } };

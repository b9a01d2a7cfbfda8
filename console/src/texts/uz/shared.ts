import type * as en from '../en/shared.ts';
import { upTo, number, countOf } from './grammar.ts';

export const units: typeof en.units = { ms: 'ms', s: 's', min: 'daq', h: 'soat', d: 'kun' };

export const status: typeof en.status = {
  fetching: 'Yuklab olinmoqda',
  queued: 'Navbatda',
  transcribing: 'Transkripsiya',
  analyzing: 'Tahlil',
  completed: 'Tugallandi',
  completed_with_failures: 'Xatolar bilan tugallandi',
  failed: 'Xato',
  canceled: 'Bekor qilindi',
  deleted: 'Oʻchirildi',
  pending: 'Kutilmoqda',
  retrying: (attempt, of) => `Qayta urinish (${attempt}/${of})`,
  delivered: 'Yetkazildi',
  undelivered: 'Yetkazilmagan',
  stopped: 'Toʻxtatildi',
  running: 'Bajarilmoqda',
  paused: 'Toʻxtatib turilgan',
  canceling: 'Bekor qilinmoqda',
  succeeded: 'Muvaffaqiyatli',
  lost: 'Natijasi nomaʼlum',
  waiting: 'Kutilmoqda',
  waitingFor: (provider) => `Kutilmoqda: ${provider}`,
  waited: 'Kutildi',
};

export const types: typeof en.types = { voice: 'Ovoz', text: 'Matn' };

export const providers: typeof en.providers = { local: 'Mahalliy server' };

export const failures: typeof en.failures = {
  auth: 'API kaliti rad etildi',
  bad_input: 'Soʻrov rad etildi',
  refused: 'Model rad etdi',
  unknown_model: 'Provayderda bunday model yoʻq',
  incomplete: 'Toʻliq boʻlmagan javob',
  rate_limited: 'Soʻrovlar juda koʻp',
  unavailable: 'Provayder ishlamayapti',
  quota_exceeded: 'Provayder kvotasi tugadi',
  too_large: 'Provayder uchun juda katta',
  audio_unreachable: 'Yozuvni yuklab olib boʻlmadi',
  audio_rejected: 'Yozuv rad etildi',
  cut_off: 'Ulanish uzildi',
  not_audio: 'Audio yozuv emas',
  no_room: 'Disk toʻlgan',
  budget_exceeded: 'Oylik byudjet tugadi',
  terminated: 'Majburan toʻxtatildi',
  internal: 'Ichki xato',
  canceled: 'Bekor qilindi',
  timeout: 'Kutish vaqti tugadi',
  dns: 'DNS xatosi',
  connect: 'Ulanib boʻlmadi',
  connection_closed: 'Ulanish yopildi',
  tls: 'TLS xatosi',
  invalid_response: 'Notoʻgʻri javob',
  redirect: 'Boshqa manzilga yoʻnaltirildi',
  blocked_address: 'Manzilga ruxsat yoʻq',
  http_status: 'Xato javobi',
  worker_lost: 'Natijasi nomaʼlum urinish',
  secret_unreadable: 'Maxfiy kalitni oʻqib boʻlmadi',
};

export const steps: typeof en.steps = {
  queue: 'Navbat',
  transcription: 'Transkripsiya',
  analysis: 'Tahlil',
  total: 'Jami',
};

export const roles: typeof en.roles = {
  operator: 'Operator',
  client: 'Mijoz',
  speaker: 'Soʻzlovchi',
  other: 'Boshqa',
  unknown: 'Nomaʼlum',
};

export const kinds: typeof en.kinds = {
  sess: 'Sessiya',
  dlv: 'Yetkazish',
  asst: 'Assistent',
  bat: 'Ommaviy amal',
  key: 'API tokeni',
};

export const redactionKinds: typeof en.redactionKinds = {
  card: 'Karta raqamlari',
  code: 'Kodlar va parollar',
  id: 'Shaxsni tasdiqlovchi hujjatlar',
  phone: 'Telefon raqamlari',
  email: 'Email manzillar',
  iban: 'IBAN',
  name: 'Ismlar',
  address: 'Manzillar',
};

export const sessions: typeof en.sessions = {
  status: 'Holat',
  length: 'Hajmi',
  turns: (count) => countOf(count, 'replika'),
  cost: 'Xarajat',
  started: 'Boshlangan',
  took: 'Ishlov vaqti',
  noSummary: 'Hali xulosa yoʻq',
  modelHint: 'Aniq nomi, masalan gpt-6-luna',
  metadata: 'Metamaʼlumotlar',
  simulated: 'Simulyatsiya',
  trial: 'sinov',
  reanalysis: 'qayta tahlil',
  reanalysisKinds: { any: 'Koʻrsatilgan', true: 'Faqat qayta tahlillar' },
  none: 'Hali sessiyalar yoʻq',
  noneDetail: 'Suhbatni shu yerda yoki API orqali yuboring. Qabul qilingach, u darhol paydo boʻladi.',
  id: 'Sessiya ID',
  audio: 'Audio',
  formerMember: 'Sobiq aʼzo',
  tokenOf: (token, person) => (person === null ? `${token} tokeni` : `${token} tokeni (${person})`),
};

export const deliveries: typeof en.deliveries = {
  event: 'Hodisa',
  failure: 'Xato sababi',
  last: 'Oxirgi javob',
  attempts: 'Urinishlar',
  next: 'Keyingi urinish',
  openSession: 'Sessiyani ochish',
  replay: 'qayta yetkazish',
  notTried: 'Hali urinilmagan',
  none: 'Hali yetkazishlar yoʻq',
  noneDetail:
    'Assistentga webhook URL qoʻshing. Har bir natija unga yuboriladi, har bir urinish esa shu yerda koʻrinadi.',
  redeliverMany: 'Qayta yetkazish…',
  redeliver: 'Qayta yetkazish',
  redeliverTitle: 'Qayta yetkazilsinmi?',
  redeliverOne: 'Oʻsha matn assistentning hozirgi URL manziliga yangi yetkazish sifatida yuboriladi.',
};

export const versions: typeof en.versions = {
  title: 'Versiyalar',
  of: (version) => `${version}-versiya`,
  autoDetect: 'Provayder aniqlaydi',
  current: 'hozirgi',
  version: 'Versiya',
  changed: 'Oʻzgartirilgan',
  first: 'Dastlabki versiya',
  restoredFrom: (version) => `${version}-versiyadan tiklangan`,
  compareOf: (version) => `${version}-versiyani taqqoslash`,
  with: 'Taqqoslanadigan versiya',
  comparison: (one, other) => `${one}-versiya va ${other}-versiya`,
  more: 'Eskiroq versiyalarni koʻrsatish',
  restore: 'Tiklash',
  restoreOf: (version) => `${version}-versiyani tiklash`,
  restoreTitle: (version) => `${version}-versiya tiklansinmi?`,
  restoreDetail:
    'Yangi suhbatlar uchun shu sozlamalar bilan yangi versiya yaratiladi. Nomi, tavsifi va webhooki saqlanadi.',
  restored: (version) => `Assistentning hozirgi versiyasi: ${version}.`,
  properties: {
    type: 'Tur',
    description: 'Savol',
    options: 'Variantlar',
    minimum: 'Minimal',
    maximum: 'Maksimal',
    evidence: 'Dalil',
  },
};

/** The settings of an assistant. */
export const settingTitles: typeof en.settingTitles = {
  name: 'Nomi',
  description: 'Tavsif',
  stt_provider: 'Transkripsiya',
  stt_model: 'Transkripsiya modeli',
  stt_language: 'Til',
  channel_roles: 'Kanallar',
  vocabulary: 'Lugʻat',
  llm_provider: 'Provayder',
  llm_model: 'Model',
  system_prompt: 'Tizim prompti',
  temperature: 'Harorat',
  reasoning_effort: 'Mulohaza darajasi',
  max_output_tokens: 'Javob chegarasi (token)',
  fallback: 'Zaxira provayder',
  fields: 'Savollar',
  redaction: 'Shaxsiy maʼlumotlarni yashirish',
  economy: 'Tahlil narxi',
  on_provider_outage: 'Provayder ishlamasa',
  webhook_url: 'Webhook URL',
  webhook_secret: 'Webhookning maxfiy kaliti',
  webhook_auth: 'Autentifikatsiya',
  webhook_events: 'Webhook hodisalari',
  alerts: 'Ogohlantirishlar',
  retention_days: 'Sessiyalarni saqlash (kun)',
};

export const lists: typeof en.lists = {
  filters: 'Filtrlar',
  addFilter: 'Yana',
  allAssistants: 'Barcha assistentlar',
  answer: 'Javob',
  exports: {
    title: 'Yuklab olish…',
    answers: 'Javoblar, CSV',
    csv: 'Sessiyalar, CSV',
    noAnswers: 'Javoblarni yuklab olish uchun assistentni tanlang.',
    jsonl: 'Javoblari bilan sessiyalar, JSON Lines',
    zip: 'Suhbat matnlari va yozuvlar, ZIP',
  },
  clear: 'Tozalash',
  any: 'Istalgan',
  range: 'Davr',
  ranges: {
    all: 'Butun davr',
    '1h': 'Oxirgi 1 soat',
    '24h': 'Oxirgi 24 soat',
    '7d': 'Oxirgi 7 kun',
    '30d': 'Oxirgi 30 kun',
    '90d': 'Oxirgi 90 kun',
    last_week: 'Oʻtgan hafta',
    month: 'Shu oy',
    last_month: 'Oʻtgan oy',
    custom: 'Boshqa davr',
  },
  selectRow: 'Qatorni tanlash',
  selectAll: 'Barcha yuklangan qatorlarni tanlash',
  selected: (count) => `${number.format(count)} tasi tanlandi`,
  selectMatching: (sessions) => `Hammasini tanlash: ${sessions}`,
  allSelected: (sessions) => `Hammasi tanlandi: ${sessions}`,
  clearSelection: 'Tanlovni bekor qilish',
  copyLink: 'Havolani nusxalash',
  columns: 'Ustunlar',
  resetColumns: 'Ustunlarni tiklash',
  times: { created_after: 'Dan', created_before: 'Gacha' },
  search: 'Soʻz yoki ID boʻyicha qidirish',
  newRows: (count, isMore) => (isMore ? `${count}+ ta yangi` : `${count} ta yangi`),
  counts: {
    sessions: (total, isMore) => upTo(total, isMore, 'sessiya'),
    deliveries: (total, isMore) => upTo(total, isMore, 'yetkazish'),
  },
  noMatch: 'Hech narsa topilmadi',
  noMatchDetail: 'Filtrlarni oʻzgartiring yoki kamaytiring.',
  noneForReaders: 'Ularni boshqa roldagi aʼzolar qoʻshadi. Sizning rolingiz faqat oʻqiy oladi.',
};

export const fields: typeof en.fields = {
  yes: 'Ha',
  no: 'Yoʻq',
  remove: (condition) => `Olib tashlash: ${condition}`,
  operators: { eq: '=', ne: '≠', gt: '>', gte: '≥', lt: '<', lte: '≤' },
  states: { null: 'aytilmagan', not_null: 'aytilgan', unverified: 'iqtibossiz' },
};

export const labels: typeof en.labels = {
  cancel: 'Bekor qilish',
  discardTitle: 'Oʻzgarishlardan voz kechasizmi?',
  discardDetail: 'Bu sahifada saqlanmagan oʻzgarishlar bor.',
  discard: 'Voz kechish',
  keepEditing: 'Tahrirlashda davom etish',
  typeToConfirm: (text) => `Tasdiqlash uchun ${text} deb yozing`,
  deleteTitle: (name) => `“${name}” oʻchirilsinmi?`,
  close: 'Yopish',
  copy: 'Nusxalash',
  copied: 'Nusxalandi',
  copyOf: (label) => `Nusxalash: ${label}`,
  copyCurl: 'cURL sifatida nusxalash',
  clearFilters: 'Filtrlarni tozalash',
  none: 'Yoʻq',
  unknown: 'Nomaʼlum',
  optional: 'ixtiyoriy',
  atLeast: (amount) => `≥ ${amount}`,
  atLeastWhy: 'Kamida bitta soʻrovning narxi nomaʼlum.',
  more: 'Yana koʻrsatish',
  notifications: 'Bildirishnomalar',
  due: 'hozir',
  inTime: (time) => `${time} oʻtgach`,
  created: 'Yaratilgan',
  done: 'Tayyor',
  name: 'Nomi',
  save: 'Saqlash',
  saved: 'Saqlandi.',
};

export const preferences: typeof en.preferences = {
  theme: 'Mavzu',
  themes: { system: 'Tizim boʻyicha', light: 'Yorugʻ', dark: 'Qorongʻi' },
  browserLanguage: 'Brauzer tili',
};

import type * as en from '../en/assistant.ts';
import { countOf } from './grammar.ts';

export const assistant: typeof en.assistant = {
  testReviewed: (count) => `${countOf(count, 'tekshirilgan suhbat')}da sinash`,
  changedElsewhere: (names) =>
    `Siz tahrirlayotganingizda assistent oʻzgartirildi${names === '' ? '' : ` (${names})`}. Tahrirlaringiz saqlanmadi.`,
  keepEdits: 'Tahrirlarimni qoldirish',
  more: 'Boshqa sozlamalar',
  typeHint: 'Ovozli assistentlar yozuvlarni avval matnga oʻgiradi. Turni keyin oʻzgartirib boʻlmaydi.',
  languageHint: 'Til kodi, masalan uz yoki en-US. Boʻsh boʻlsa, uni provayder aniqlaydi.',
  textLanguageHint: 'Til kodi, masalan uz yoki en-US. Ismlar va manzillar shu tilda qidirilib yashiriladi.',
  channelsHint: (providers) =>
    `Har bir soʻzlovchi oʻz kanaliga ega yozuvlar uchun: har qatorda bitta rol, kanallar tartibida. Faqat ${providers} bilan. Boʻsh boʻlsa, soʻzlovchilar ovozidan aniqlanadi.`,
  vocabularyHint: (terms: number) =>
    `Yozuvlardagi ismlar va kam uchraydigan soʻzlar, har qatorda bittadan, eng muhimlari birinchi: koʻpi bilan ${terms} ta. ElevenLabs va gpt-transcribe hammasini oladi (ElevenLabs da 20% qimmatroq), Whisper va lokal serverlar 224 bayt, Aisha esa olmaydi.`,
  noKey: 'Bu provayder serverda sozlanmagan. Boshqasini tanlang yoki administratorga murojaat qiling.',
  notAllowed: 'Bu server bu modelga ruxsat bermaydi.',
  priceUnknown: 'Narxi nomaʼlum.',
  tokenPrices: (input, output) => `Million kirish tokeni uchun ${input}, million chiqish tokeni uchun ${output}.`,
  hourPrice: (hour) => `Bir soat audio uchun ${hour}.`,
  ownServer: 'Oʻz serveringizda ishlaydi: bepul.',
  retires: (model: string, day: string) => `Provayder ${model} modelini ${day} kuni toʻxtatadi. Boshqasini tanlang.`,
  fields: {
    hint: 'Oʻz savollaringizni bering. Har bir javob oʻz turiga ega va iqtibos bilan keladi.',
    add: 'Savol qoʻshish',
    types: {
      boolean: 'Ha yoki yoʻq',
      integer: 'Butun son',
      number: 'Son',
      string: 'Matn',
      enum: 'Variantlardan biri',
      string_list: 'Matnlar roʻyxati',
      score: 'Ball',
      said: 'Majburiy ibora',
    },
    pointsHint: 'Har qatorda javob va ball: true = 10. Sonlar uchun oraliq boshi: 8 = 10.',
    optionsHint: 'Har qatorda bittadan.',
    key: 'Kalit',
    keyHint: 'Dasturlar uchun. Natijalar shu kalit boʻyicha saqlanadi.',
    evidence: 'Dalil talab qilish',
    up: (position) => `${position}-savolni yuqoriga surish`,
    down: (position) => `${position}-savolni pastga surish`,
    remove: (position) => `${position}-savolni olib tashlash`,
  },
  redaction: {
    hint: 'Belgilanganlar suhbat saqlanishi yoki tahlil qilinishidan oldin [CARD_1] kabi belgilarga almashtiriladi.',
    originals: 'Asl qiymatlar',
    originalsHint: 'Karta raqamlari va kodlar hech qachon saqlanmaydi.',
    choices: { discard: 'Saqlanmaydi', seal: 'Shifrlab saqlanadi' },
    keepAudio: 'Asl qiymatlar eshitiladigan yozuvlarni saqlash',
  },
  fallback: {
    llm: { provider: 'Tahlil uchun zaxira provayder', model: 'Tahlil uchun zaxira model' },
    stt: { provider: 'Transkripsiya uchun zaxira provayder', model: 'Transkripsiya uchun zaxira model' },
  },
  webhookHint:
    'Har bir natija shu URL ga yuboriladi. Xato boʻlsa, 30 soniya, 2 daqiqa va 10 daqiqadan keyin qayta uriniladi.',
  events: {
    'session.completed': 'Tugallangan sessiyalar',
    'session.failed': 'Xato bilan tugagan sessiyalar',
    'session.reviewed': 'Tekshirilgan sessiyalar',
  },
  readOnly: 'Faqat oʻqish: rolingiz assistentlarni oʻzgartira olmaydi.',
  deletedElsewhere:
    'Siz tahrirlayotganingizda assistent oʻchirildi. Tahrirlaringiz faqat shu sahifada: ularni yangi assistent sifatida saqlang.',
  saveAsNew: 'Yangi assistent sifatida saqlash',
  webhookAuths: { both: 'Bearer token va imzo', bearer: 'Faqat Bearer token', signature: 'Faqat imzo' },
  secretHint:
    'Har bir yetkazishni imzolaydi va Bearer token sifatida yuboriladi. Kamida 32 ta tasodifiy belgidan foydalaning.',
  secretKept: 'Maxfiy kalit kiritilgan. Saqlab qolish uchun boʻsh qoldiring. Boshqa URL uchun yangi kalit kerak.',
  alerts: {
    events: { 'session.alert': 'Natija shartlarga mos', 'delivery.failed': 'Yetkazish xato bilan tugadi' },
    format: 'Yuborish joyi',
    when: 'Barcha shartlar bajarilgan',
    event: 'Qachon',
    add: 'Ogohlantirish qoʻshish',
    broken: (conditions: string) => `Yuborilmaydi, chunki bu shartlar savollarga mos kelmaydi: ${conditions}.`,
    remove: (number: number) => `${number}-ogohlantirishni oʻchirish`,
  },
  followUps: {
    hint: 'Sessiya tugagach, boshqa assistentlar shu suhbatni tahlil qiladi. Suhbat matni birinchi sessiyaga tegishli: u oʻchirilsa, jumladan saqlash muddati tugaganda, qoʻshimcha tahlillar ham oʻchiriladi.',
    assistant: 'Keyin yana soʻraladi',
    add: 'Qoʻshimcha tahlil qoʻshish',
    remove: (number) => `${number}-qoʻshimcha tahlilni olib tashlash`,
  },
  test: 'Webhookni sinash',
  condition: { operator: 'Taqqoslash', add: 'Shart qoʻshish' },
  duplicate: 'Nusxa yaratish',
  deleteDetail:
    'Sessiyalarni oʻqish mumkin boʻlib qoladi. Bajarilayotgan sessiyalar va kutilayotgan yetkazishlar toʻxtaydi.',
};

export const assistants: typeof en.assistants = {
  answers: 'Eng koʻp uchraydigan javoblar',
  mean: (value) => `oʻrtacha ${value}`,
  reviewMore: (count) => `Yana ${count} ta tekshirish`,
  right: 'Toʻgʻri javoblar',
  week: 'Sessiyalar, 7 kun',
  create: 'Assistent yaratish',
  webhook: 'Webhook',
  none: 'Hali assistentlar yoʻq',
  noneDetail: 'Assistent tahlilning prompti, modeli va webhookini belgilaydi.',
};

export const trial: typeof en.trial = {
  title: 'Oldingi sessiyada sinash',
  detail:
    'Oldingi suhbatni shu formadagi sozlamalar bilan tahlil qiladi, ular saqlanmagan boʻlsa ham. Sessiya saqlanadi, webhookka hech narsa yuborilmaydi.',
  none: 'Hali tugallangan sessiyalar yoʻq',
  run: 'Sinovni boshlash',
  draft: 'Bu qoralama',
};

export const settingTexts: typeof en.settingTexts = {
  byDefault: 'Modelning standart darajasi',
  hints: {
    temperature:
      '0 dan 1 gacha. Harorat parametrini qoʻllab-quvvatlamaydigan modellarga yuborilmaydi. Bu sessiyada koʻrinadi.',
    max_output_tokens: 'Mulohaza ham javobga kiradi. Standart: 8192.',
    economy: 'Mijoz kutmayotgan sessiyalar uchun. OpenAI va Gemini da bor, boshqalarda narx odatdagi.',
    on_provider_outage:
      'Barcha urinishlar va zaxira provayderdan keyin qoʻllanadi. Kutayotgan sessiyalar provayder qaytganda davom etadi.',
    retention_days: 'Sessiyalar tugaganidan shuncha kun oʻtib oʻchiriladi. Boʻsh boʻlsa: server qiymati.',
  },
  values: {
    economy: { standard: 'Odatdagi', flex: 'Yarim narx, bir soatgacha kechroq' },
    on_provider_outage: { fail: 'Xato bilan tugatish', wait: '24 soatgacha kutish' },
  },
};

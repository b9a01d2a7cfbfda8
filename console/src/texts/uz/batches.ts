import type * as en from '../en/batches.ts';
import { countOf } from './grammar.ts';

export const batches: typeof en.batches = {
  startTest: 'Tajribani boshlash',
  id: 'Amal ID',
  overrides: 'Boshqa sozlamalar',
  ended: 'Tugagan',
  everything: 'Barcha sessiyalar',
  of: (done, total) => `${done} / ${total}`,
  actions: {
    reanalyze: 'Qayta tahlil',
    retry: 'Takrorlash',
    delete: 'Oʻchirish',
    redeliver: 'Qayta yetkazish',
    cancel: 'Bekor qilish',
    score: 'Ballarni qoʻllash',
    analyze: 'Boshqa assistent bilan tahlil qilish',
  },
  receivers: 'Qabul qiluvchilar',
  actionHints: {
    reanalyze: 'Har bir tugallangan asl sessiya uchun yangi sessiya yaratiladi. Asl sessiyalar saqlanadi.',
    retry:
      'Provayder uzilishi kabi vaqtinchalik xato bilan tugagan sessiyalarni takrorlaydi. Takrorlash yordam bermaydiganlari, masalan, API kaliti rad etilganlari, oʻtkazib yuboriladi.',
    delete: 'Yozuvlar, matnlar va yetkazishlar butunlay oʻchiriladi.',
    redeliver:
      'Tugagan yetkazishlarni qayta yetkazadi: soniyasiga beshta, har biri oʻsha matn bilan yangi yetkazish sifatida. Avval qayta yetkazilganlar oʻtkazib yuboriladi.',
    cancel:
      'Tugamagan sessiyalarni, masalan, provayderni kutayotganlarini bekor qiladi. Hozirgacha boʻlgan xarajatlar qoladi.',
    score: 'Tugallangan sessiyalar ballari qayta hisoblanadi: modelga soʻrov va webhooklarsiz.',
    analyze:
      'Bu assistentning qoʻshimcha tahlili boʻlmagan har bir tugagan asl sessiya uchun uni yaratadi. Nutq qayta tanilmaydi.',
  },
  start: {
    reanalyze: 'Barchasini qayta tahlil qilish',
    retry: 'Barchasini takrorlash',
    delete: 'Barchasini oʻchirish',
    redeliver: 'Barchasini qayta yetkazish',
    cancel: 'Barchasini bekor qilish',
    score: 'Barchasiga qoʻllash',
    analyze: 'Hammasini tahlil qilish',
  },
  deleteTitle: (count) => `${countOf(count, 'sessiya')} oʻchirilsinmi?`,
  deleteDetail:
    'Yozuvlar, matnlar, yetkazishlar va qoʻshimcha tahlillar butunlay oʻchiriladi. Bajarilayotgan sessiyalar toʻxtaydi. Xarajatlar sarf hisobotida qoladi.',
  filters: {
    erased: 'Maʼlumotlar bilan birga oʻchirilgan',
    waiting_for: 'Kutilayotgan provayder',
    created_before: 'Gacha',
    completed_after: 'Tugagan (dan)',
    completed_before: 'Tugagan (gacha)',
    q: 'Matn',
    trial: 'Sinov',
    reanalysis: 'Qayta tahlillar',
    review: 'Tekshiruv',
    corrected: 'Tuzatilgan javob',
    source_session_id: 'Sessiyaning qayta tahlillari',
    first_session_id: 'Qoʻshimcha tahlillar',
    min_cost: 'Minimal xarajat (USD)',
  },
  current: (version) => `Hozirgi (${version}-versiya)`,
  notify: 'Natijalarni webhookka yuborish',
  notifyHint: 'Oʻchirilgan boʻlsa, natijalar faqat shu yerda koʻrinadi.',
  estimating: 'Sanalmoqda va xarajat hisoblanmoqda…',
  nothing: 'Amalni qoʻllash mumkin boʻlgan narsa yoʻq.',
  sampled: 'tanlanma boʻyicha hisoblangan',
  progress: (done, total) => `${total} tadan ${done} tasi bajarildi`,
  held: {
    budget: 'Toʻxtatib turilgan: oylik byudjet tugadi. Davom etish uchun uni oshiring.',
    max_cost:
      'Toʻxtatib turilgan: keyingi sessiya xarajat chegarasidan oshishi mumkin. Davom etish uchun chegarani olib tashlang.',
  },
  removeLimit: 'Chegarani olib tashlash',
  maxCost: 'Xarajat chegarasi (USD)',
  maxCostHint: 'Chegaradan oshishdan oldin amal vaqtincha toʻxtatiladi.',
  cancel: 'Amalni bekor qilish',
  about: 'Parametrlar',
  modelTime: 'Modelning javob vaqti',
};

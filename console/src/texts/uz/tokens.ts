import type * as en from '../en/tokens.ts';
import { countOf } from './grammar.ts';

export const tokens: typeof en.tokens = {
  connect: {
    title: 'Vositani ulash (MCP)',
    detail:
      'Buni Model Context Protocol bilan ishlaydigan vositaning sozlamasiga qoʻshing. Faqat oʻqiydigan token yetarli.',
    warning:
      'Suhbatlarda begonalarning koʻrsatmalari boʻlishi mumkin, model ularni ham oʻqiydi. Model nima qilishini tekshiring.',
  },
  detail: 'Dasturlar API dan token bilan foydalanadi. Ruxsatlar token nima qila olishini belgilaydi.',
  create: 'Token yaratish',
  nameHint: 'Token qayerda ishlatiladi.',
  rolledFrom: (prefix) => `${prefix} oʻrnini egallagan`,
  byToken: (name) => `“${name}” tokeni`,
  access: 'Ruxsat',
  accesses: { full: 'Toʻliq ruxsat', read: 'Faqat oʻqish', custom: 'Tanlangan ruxsatlar' },
  accessHints: {
    full: 'budget:write va keys:write dan tashqari barcha ruxsatlar.',
    read: 'Oʻqish uchun barcha ruxsatlar.',
    custom: 'Token faqat siz tanlagan amallarni bajara oladi.',
  },
  scopes: 'Ruxsatlar',
  scopeCount: (count) => countOf(count, 'ruxsat'),
  meanings: {
    'account:read': 'hisobingiz va undagi seanslarni oʻqish va yuklab olish, ish muhitlaringiz roʻyxatini koʻrish',
    'account:write': 'hisobni oʻzgartirish, seanslarni tugatish va hisobni oʻchirish (parol bilan)',
    'assistants:read': 'assistentlarni oʻqish',
    'assistants:write': 'assistentlarni yaratish, oʻzgartirish va oʻchirish',
    'assistants:webhook':
      'natijalarni oladigan assistent webhooklari va ogohlantirishlarini belgilash (`assistants:write` bilan)',
    'requests:write': 'suhbatlarni yuborish va ularning natijalarini olish',
    'sessions:read': 'sessiyalar, suhbat matnlari va yozuvlarni oʻqish',
    'sessions:export': 'sessiyalar va statistikani fayllarga yuklab olish',
    'sessions:own': 'shu tokenning oʻzi yaratgan sessiyalarni ID boʻyicha oʻqish',
    'sessions:reveal': 'yashirilgan asl qiymatlarni oʻqish (`sessions:read` bilan)',
    'sessions:write': 'sessiyalarni bekor qilish, takrorlash va qayta tahlil qilish, ommaviy amallar bilan ham',
    'reviews:write': 'sessiyalarni tekshirish: toʻgʻri javoblarni saqlash va oʻchirish',
    'sessions:delete': 'sessiyalarni oʻchirish (ommaviy amalda `sessions:write` bilan)',
    'webhooks:read': 'yetkazish va qayta yetkazishlarni oʻqish',
    'webhooks:write': 'webhooklarni sinash, yetkazishlarni takrorlash, toʻxtatish va qayta yetkazish',
    'usage:read': 'sarf, xarajatlar va chegaralarni oʻqish',
    'audit:read': 'audit jurnalini oʻqish',
    'keys:read': 'API tokenlari roʻyxatini koʻrish',
    'keys:write':
      'oʻz ruxsatlaridan ortiq boʻlmagan tokenlarni yaratish, istalgan tokenni almashtirish va oʻchirib qoʻyish',
    'budget:write': 'oylik byudjetni oʻzgartirish (`account:write` bilan)',
  },
  lastUsed: 'Ishlatilgan',
  expires: 'Tugash muddati',
  expiries: {
    '': 'Hech qachon',
    '30': '30 kundan keyin',
    '90': '90 kundan keyin',
    '365': 'Bir yildan keyin',
    custom: 'Boshqa muddat',
  },
  days: 'Tugashigacha kunlar',
  revoke: 'Oʻchirib qoʻyish',
  revokeTitle: (name) => `“${name}” oʻchirib qoʻyilsinmi?`,
  revokeDetail:
    'Shu token yoki u yaratgan tokenlar bilan ishlaydigan dasturlar darhol kirish huquqini yoʻqotadi. Buni qaytarib boʻlmaydi.',
  none: 'Hali API tokenlari yoʻq',
  noneDetail: 'Dasturdan suhbat yuborish uchun token yarating.',
  created: 'Yangi tokeningiz',
  createdDetail: 'Tokenni hozir nusxalab oling. U faqat bir marta koʻrsatiladi.',
  left: 'endi aʼzo emas',
  roll: 'Almashtirish',
  rollTitle: (name) => `“${name}” almashtirilsinmi?`,
  rollDetail: 'Nomi va ruxsatlari bir xil token yaratadi. Eski token muddati tugaguncha ishlaydi.',
  overlap: 'Eski token muddati tugaydi',
  overlaps: { '0': 'Darhol', '1': 'Bir soatdan keyin', '24': 'Bir kundan keyin', '168': 'Bir haftadan keyin' },
};

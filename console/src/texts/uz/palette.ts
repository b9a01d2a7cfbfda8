import type * as en from '../en/palette.ts';

export const palette: typeof en.palette = {
  open: (id) => `${id} ni ochish`,
  search: (text) => `Suhbatlardan “${text}” ni qidirish`,
  page: 'Sahifalar',
  view: 'Saqlangan koʻrinish',
};

export const shortcuts: typeof en.shortcuts = {
  title: 'Tezkor tugmalar',
  off: 'Bu brauzerda bir harfli tezkor tugmalar oʻchirilgan.',
  note: 'Bir harfli tezkor tugmalar “Sozlamalar”, “Hisob” boʻlimida oʻchiriladi. Matn yozayotganda ular ishlamaydi.',
  keys: [
    { keys: ['⌘ K', 'Ctrl K'], what: 'Qidirish yoki kiritilgan ID ni ochish' },
    { keys: ['?'], what: 'Shu tugmalarni koʻrsatish' },
    { keys: ['/'], what: 'Shu sahifada qidirish' },
    { keys: ['w'], what: 'Ish muhitini almashtirish' },
    { keys: ['j', 'k'], what: 'Keyingi va oldingi qator yoki sessiya' },
    { keys: ['Enter'], what: 'Qatorni ochish' },
    { keys: ['Esc'], what: 'Orqaga' },
    { keys: ['Space'], what: 'Yozuvni ijro etish yoki pauza' },
    { keys: ['←', '→'], what: '5 soniya orqaga va oldinga' },
    { keys: ['[', ']'], what: 'Sekinroq va tezroq' },
    { keys: ['r'], what: 'Xato bilan tugagan sessiyani takrorlash yoki qayta yetkazish' },
  ],
};

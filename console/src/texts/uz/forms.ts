import type * as en from '../en/forms.ts';

export const inputs: typeof en.inputs = {
  code: 'Kod',
  codeHint: 'Autentifikator ilovasidan yoki zaxira kodi.',
  email: 'Email',
  password: 'Parol',
  passwordHint: '8 tadan 256 tagacha belgi.',
  name: 'Ism',
  currentPassword: 'Hozirgi parol',
  newPassword: 'Yangi parol',
  /** Why an input rejects a value. */
  errors: {
    required: 'Qiymat kiriting.',
    email: 'Email manzil kiriting.',
    url: 'http yoki https bilan URL kiriting, login va parolsiz.',
    number: 'Son kerak.',
    integer: 'Butun son kiriting.',
    multiple: '{step} ga boʻlinishi kerak.',
    minimum: 'Kamida {min} boʻlsin.',
    maximum: 'Koʻpi bilan {max} boʻlsin.',
    min_characters: 'Belgilar soni kamida {min} boʻlsin.',
    format: 'Format notoʻgʻri.',
  },
};

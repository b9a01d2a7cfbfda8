import type * as en from '../en/forms.ts';

export const inputs: typeof en.inputs = {
  code: 'Код',
  codeHint: 'Из приложения-аутентификатора или резервный код.',
  email: 'Эл. почта',
  password: 'Пароль',
  passwordHint: 'От 8 до 256 символов.',
  name: 'Имя',
  currentPassword: 'Текущий пароль',
  newPassword: 'Новый пароль',
  /** Why an input rejects a value. */
  errors: {
    required: 'Укажите значение.',
    email: 'Введите адрес эл. почты.',
    url: 'Введите URL с http или https, без имени и пароля.',
    number: 'Нужно число.',
    integer: 'Введите целое число.',
    multiple: 'Должно делиться на {step}.',
    minimum: 'Не меньше {min}.',
    maximum: 'Не больше {max}.',
    min_characters: 'Символов: не меньше {min}.',
    format: 'Неверный формат.',
  },
};

import type * as en from '../en/invitation.ts';

export const invitation: typeof en.invitation = {
  title: (workspace) => `Присоединиться к «${workspace}»`,
  detail: (inviter, role) => `${inviter} приглашает вас. Ваша роль: ${role}.`,
  checking: 'Приглашение',
  accept: 'Присоединиться',
  loggedInAs: (email) => `Вы вошли как ${email}.`,
  other: (invited, own) =>
    `Это приглашение для ${invited}, а вы вошли как ${own}. Выйдите и продолжите с приглашённым адресом.`,
  createAccount: 'Создать аккаунт и присоединиться',
  gone: 'Это приглашение недействительно',
  goneDetail: 'Оно истекло, уже принято или отозвано. Попросите новое.',
};

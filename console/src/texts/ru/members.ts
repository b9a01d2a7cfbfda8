import type * as en from '../en/members.ts';
import { number } from './grammar.ts';

export const members: typeof en.members = {
  detail: 'Участники видят все сессии пространства, кто бы их ни отправил.',
  role: 'Роль',
  roleOf: (name) => `Роль: ${name}`,
  signsIn: 'Способ входа',
  ways: { sso: 'единый вход', second_factor: 'второй фактор', password: 'пароль' },
  joined: 'Дата вступления',
  you: 'вы',
  remove: 'Исключить',
  removeTitle: (name) => `Исключить участника «${name}»?`,
  removeDetail: 'Человек сразу потеряет доступ. Сессии и ассистенты останутся.',
  tokens: (count) => `Токены API, созданные участником (${number.format(count)}):`,
  ownTokens: (count) => `Ваши токены API этого пространства: ${number.format(count)}.`,
  lastUsed: 'использован:',
  tokenChoices: { keep: 'Оставить действующими', revoke: 'Отозвать' },
  invite: 'Пригласить участника',
  linkReady: 'Ссылка-приглашение',
  linkDetail: (email) =>
    `Отправьте эту ссылку на ${email}. Она показывается один раз, действует один раз и истекает через 7 дней.`,
  linkMailed: (email) => `Эта ссылка также отправлена на ${email}. Она действует один раз и истекает через 7 дней.`,
  pending: 'Открытые приглашения',
  newLink: 'Новая ссылка',
};

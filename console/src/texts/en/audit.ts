import type { AuditAction } from '../../../../contract/values/constants.ts';

export const audit = {
  /** In other languages. The English names are those of the API. */
  actions: {} as Record<AuditAction, string>,
  detail: 'Logins, tokens, webhooks, exports and deletions of the last year.',
  anyAction: 'All events',
  at: 'Time',
  actor: 'By',
  address: 'IP address',
  object: 'Object',
  login: 'Login',
  none: 'No events yet',
};

/** The tabs of the settings: those of the workspace, then those of the user. */
import { texts } from '../texts/index.ts';
import type { Place } from './places.ts';

export const SETTINGS: Place[] = [
  { to: '/settings/workspace', text: texts.workspaces.general },
  { to: '/settings/members', text: texts.workspaces.members },
  { to: '/settings/tokens', text: texts.settings.tokens, scope: 'keys:read' },
  { to: '/settings/audit', text: texts.settings.audit, scope: 'audit:read' },
  { to: '/settings/system', text: texts.shell.system },
  { to: '/settings/account', text: texts.settings.account, scope: 'account:read' },
  { to: '/settings/security', text: texts.settings.security, scope: 'account:read' },
];

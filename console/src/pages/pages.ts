/** The pages. Each is loaded with its texts when it is first opened: the files of `texts/` beside `common` and `shared`. */
import { lazyPage as page } from '../server/load-file.ts';

export const LoginPage = page(() => import('./login/login-page.tsx'), 'LoginPage', ['forms', 'login']);
export const RegisterPage = page(() => import('./login/register-page.tsx'), 'RegisterPage', ['forms', 'login']);
export const ResetPage = page(() => import('./login/reset-page.tsx'), 'ResetPage', ['forms', 'login']);
export const LinkPage = page(() => import('./login/link-page.tsx'), 'LinkPage', ['forms', 'login']);
export const EmailPage = page(() => import('./login/email-page.tsx'), 'EmailPage', ['invitation', 'login']);
export const InvitationPage = page(() => import('./login/invitation-page.tsx'), 'InvitationPage', [
  'forms',
  'invitation',
  'login',
  'workspaces',
]);
export const OverviewPage = page(() => import('./overview/overview-page.tsx'), 'OverviewPage', [
  'accuracy',
  'overview',
  'usage',
]);
export const StartPage = page(() => import('./start/start-page.tsx'), 'StartPage', [
  'assistant',
  'forms',
  'session',
  'start',
  'uploads',
  'usage',
]);
export const SessionsPage = page(() => import('./sessions/sessions-page.tsx'), 'SessionsPage', [
  'batches',
  'errors',
  'forms',
  'session',
]);
export const SessionPage = page(() => import('./session/session-page.tsx'), 'SessionPage', [
  'assistant',
  'delivery',
  'errors',
  'session',
  'system',
  'usage',
]);
export const ReviewPage = page(() => import('./review/review-page.tsx'), 'ReviewPage', ['forms', 'review', 'session']);
export const ComparePage = page(() => import('./compare/compare-page.tsx'), 'ComparePage', [
  'assistant',
  'forms',
  'session',
]);
export const DeliveriesPage = page(() => import('./deliveries/deliveries-page.tsx'), 'DeliveriesPage', [
  'batches',
  'delivery',
  'forms',
]);
export const DeliveryPage = page(() => import('./delivery/delivery-page.tsx'), 'DeliveryPage', ['delivery']);
export const BatchesPage = page(() => import('./batches/batches-page.tsx'), 'BatchesPage', ['batches', 'session']);
export const ExperimentsPage = page(() => import('./experiments/experiments-page.tsx'), 'ExperimentsPage', [
  'accuracy',
  'batches',
  'session',
]);
export const NewBatchPage = page(() => import('./new-batch/new-batch-page.tsx'), 'NewBatchPage', [
  'accuracy',
  'assistant',
  'batches',
  'forms',
  'session',
  'system',
  'usage',
]);
export const BatchPage = page(() => import('./batch/batch-page.tsx'), 'BatchPage', [
  'accuracy',
  'assistant',
  'batches',
  'session',
]);
export const AssistantsPage = page(() => import('./assistants/assistants-page.tsx'), 'AssistantsPage', [
  'accuracy',
  'assistant',
]);
export const AssistantPage = page(() => import('./assistant/assistant-page.tsx'), 'AssistantPage', [
  'assistant',
  'forms',
  'session',
  'system',
  'workspaces',
]);
export const VersionsPage = page(() => import('./versions/versions-page.tsx'), 'VersionsPage', [
  'assistant',
  'session',
]);
export const ResultsPage = page(() => import('./results/results-page.tsx'), 'ResultsPage', [
  'accuracy',
  'results',
  'session',
  'usage',
]);
export const SharedPage = page(() => import('./shared/shared-page.tsx'), 'SharedPage', [
  'accuracy',
  'assistant',
  'session',
]);
export const UsagePage = page(() => import('./usage/usage-page.tsx'), 'UsagePage', ['usage']);
export const SystemPage = page(() => import('./system/system-page.tsx'), 'SystemPage', ['system']);
export const SettingsPage = page(() => import('./settings/settings-page.tsx'), 'SettingsPage', ['workspaces']);
export const WorkspacePage = page(() => import('./settings/workspace-page.tsx'), 'WorkspacePage', [
  'forms',
  'usage',
  'workspaces',
]);
export const MembersPage = page(() => import('./settings/members-page.tsx'), 'MembersPage', [
  'forms',
  'members',
  'tokens',
  'workspaces',
]);
export const TokensPage = page(() => import('./settings/tokens-page.tsx'), 'TokensPage', [
  'forms',
  'tokens',
  'workspaces',
]);
export const SecurityPage = page(() => import('./settings/security/security-page.tsx'), 'SecurityPage', [
  'account',
  'audit',
  'forms',
  'login',
  'security',
  'tokens',
]);
export const AccountPage = page(() => import('./settings/account-page.tsx'), 'AccountPage', [
  'account',
  'forms',
  'palette',
]);
export const AuditPage = page(() => import('./settings/audit-page.tsx'), 'AuditPage', [
  'assistant',
  'audit',
  'batches',
  'errors',
  'login',
  'palette',
  'session',
  'workspaces',
]);

import * as account from '../../contract/account/account.ts';
import { UserModel } from '../../db/models/user.ts';
import type { ApiDeps } from '../deps.ts';
import { invalidAt, refusal } from '../errors.ts';
import { requireScope } from '../guard/authenticate.ts';
import { clearedConsoleCookie } from '../guard/console-cookie.ts';
import { handle, requireMatch } from '../http/handle.ts';
import { Reply } from '../reply.ts';
import { deleteAccount } from '../workspaces/members.ts';
import { checkBudget } from '../guard/check-budget.ts';
import { exportAccount } from './export-account.ts';
import { issueLogin, logInWithPassword } from './log-in.ts';
import { changePassword, passwordChanged, requirePassword } from '../guard/passwords.ts';
import { loginRoutes } from './login-routes.ts';
import { presentUser } from './present.ts';
import { notify } from '../mail/send.ts';
import { recoveryRoutes } from './recovery-routes.ts';
import { secondFactorRoutes } from './second-factor-routes.ts';
import { registerUser } from './register-user.ts';

export const accountRoutes = (deps: ApiDeps) => [
  ...loginRoutes(deps),
  ...recoveryRoutes(deps),
  ...secondFactorRoutes(deps),

  handle(account.register, async ({ body, ...client }) => {
    const user = await registerUser(deps, body, client.address);
    await deps.loginLimits.remember(user.email, client.address);
    return issueLogin(deps, { user, isStrong: false }, client);
  }),

  handle(account.login, async ({ body, ...client }) =>
    issueLogin(deps, await logInWithPassword(deps, { ...body, address: client.address }), client),
  ),

  handle(account.getCurrentUser, async ({ userId, workspaceId }) =>
    presentUser(await UserModel.withDetails(workspaceId).findById(userId).throwIfNotFound()),
  ),

  handle(account.updateCurrentUser, async ({ body: { views, ...fields }, headers, userId, workspaceId, ...caller }) => {
    const { monthly_budget_usd } = fields;
    if (monthly_budget_usd !== undefined) {
      requireScope(caller, 'budget:write', 'monthly_budget_usd');
      checkBudget(monthly_budget_usd, deps.config.budgets.maxUsd);
    }
    const user = await UserModel.change({ userId, workspaceId }, (row) => {
      requireMatch(headers['if-match'], account.getCurrentUser, presentUser(row));
      return { ...fields, ...(views && { views: mergeViews(row.views, views) }) } as Partial<UserModel>;
    });
    if (!user) throw refusal('unauthorized:deleted');
    return presentUser(user);
  }),

  handle(account.changePassword, async ({ body, userId, login, ...client }) => {
    const isConsole = login?.kind === 'console';
    const keptLogin = isConsole ? login.id : undefined;
    const user = await changePassword(deps, { userId, login, keptLogin, address: client.address, ...body });
    notify(deps, user, 'The password of your account was changed.');
    // The console's cookie stays valid. Scripts could read a token in the response.
    return isConsole
      ? new Reply(undefined, { status: 204 })
      : issueLogin(deps, { user, isStrong: login?.isStrong ?? false }, client);
  }),

  handle(account.exportCurrentUser, (request) => exportAccount(deps, request)),

  // A sweep removes the data of the workspaces that are deleted with the account.
  handle(account.deleteCurrentUser, async ({ body, userId, address, login }) => {
    const user = await requirePassword(deps, { ...body, userId, login, address });
    if (!(await deleteAccount(user))) throw passwordChanged();
    return new Reply(undefined, { headers: login?.kind === 'console' ? clearedConsoleCookie : {} });
  }),
];

/** Returns the views with the changes. The row is locked, so concurrent changes of other views are kept. */
function mergeViews(views: Record<string, string>, changes: Record<string, string | null>): Record<string, string> {
  const merged = Object.entries({ ...views, ...changes }).filter((pair): pair is [string, string] => pair[1] !== null);
  if (merged.length > account.MAX_VIEWS) {
    throw invalidAt('views', 'too_many', { max: account.MAX_VIEWS, unit: 'entries' });
  }
  return Object.fromEntries(merged);
}

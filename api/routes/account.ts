import { changePassword, getCurrentUser, login, register, updateCurrentUser } from '../../contract/account.ts';
import { deleteCurrentUser, exportCurrentUser } from '../../contract/own-data.ts';
import { UserModel } from '../../db/models/user.ts';
import { createExportAccount } from '../answers/export-account.ts';
import { issueLogin } from '../answers/issue-login.ts';
import { changePasswordOf } from '../commands/change-password.ts';
import { deleteAccount } from '../commands/delete-account.ts';
import { checkPassword } from '../commands/log-in.ts';
import { registerUser } from '../commands/register-user.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError, invalid } from '../errors.ts';
import { clearedConsoleCookie } from '../http/console-cookie.ts';
import { requireMatch } from '../http/etag.ts';
import { handle, Reply } from '../http/handle.ts';
import { presentUser } from '../presenters/user.ts';

export const accountRoutes = (deps: ApiDeps, exportAccount = createExportAccount(deps)) => [
  handle(register, async ({ body, ...client }) => {
    const user = await registerUser(deps, body);
    await deps.loginLimits.remember(user.email, client.address);
    return issueLogin(deps, user, client);
  }),

  handle(login, async ({ body, ...client }) =>
    issueLogin(deps, await checkPassword(deps, { ...body, address: client.address }), client),
  ),

  handle(getCurrentUser, async ({ userId }) => presentUser(await UserModel.query().findById(userId).throwIfNotFound())),

  handle(updateCurrentUser, async ({ body: { name, monthly_budget_usd }, headers, userId }) => {
    if (monthly_budget_usd !== undefined) checkBudget(monthly_budget_usd, deps.config.budgets.maxUsd);
    const changes = {
      ...(name !== undefined && { name }),
      ...(monthly_budget_usd !== undefined && { monthly_budget_usd }),
    };
    const user = await UserModel.change(userId, (row) => {
      requireMatch(headers['if-match'], getCurrentUser, presentUser(row));
      return changes;
    });
    if (!user) throw new ApiError('unauthorized', 'This account is gone.');
    return presentUser(user);
  }),

  handle(changePassword, async ({ body, userId, login: present, ...client }) => {
    const isConsole = present?.kind === 'console';
    const keptLogin = isConsole ? present.id : undefined;
    const user = await changePasswordOf(deps, { userId, keptLogin, address: client.address, ...body });
    // The console's cookie goes on; a token in the answer would be one that scripts can read.
    return isConsole ? new Reply(undefined, { status: 204 }) : issueLogin(deps, user, client);
  }),

  handle(exportCurrentUser, (request) => exportAccount(request)),

  handle(deleteCurrentUser, async ({ body, userId, address, login: present }) => {
    await deleteAccount(deps, { ...body, userId, address });
    return new Reply(undefined, { headers: present?.kind === 'console' ? clearedConsoleCookie : {} });
  }),
];

function checkBudget(budget: number | null, maxUsd: number | null): void {
  if (maxUsd === null || (budget !== null && budget <= maxUsd)) return;
  const message = `must be at most ${maxUsd}, which MAX_MONTHLY_BUDGET_USD of this server sets`;
  throw invalid({ path: 'monthly_budget_usd', message });
}

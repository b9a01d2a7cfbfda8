import { changePassword, getCurrentUser, login, register, updateCurrentUser } from '../../contract/account.ts';
import { UserModel } from '../../db/models/user.ts';
import { issueLogin, logIn } from '../commands/log-in.ts';
import { hashPassword, isPasswordOf } from '../commands/hash-password.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError, invalid } from '../http/api-error.ts';
import { handle } from '../http/handle.ts';
import { presentUser } from '../presenters/user.ts';

export const accountRoutes = (deps: ApiDeps) => [
  handle(register, async ({ body: { email, name, password } }) => {
    const user = await UserModel.register({ email, name, password_hash: await hashPassword(password) });
    if (!user) throw new ApiError('email_taken', 'An account with this e-mail address exists. Log in instead.');
    return issueLogin(deps.loginTokens, user);
  }),

  handle(login, async ({ body, address }) => logIn(deps, { ...body, address })),

  handle(getCurrentUser, async ({ userId }) => presentUser(await UserModel.query().findById(userId).throwIfNotFound())),

  handle(updateCurrentUser, async ({ body: { name, monthly_budget_usd }, userId }) => {
    const changes = {
      ...(name !== undefined && { name }),
      ...(monthly_budget_usd !== undefined && { monthly_budget_usd }),
    };
    if (Object.keys(changes).length > 0) await UserModel.query().findById(userId).patch(changes);
    return presentUser(await UserModel.query().findById(userId).throwIfNotFound());
  }),

  handle(changePassword, async ({ body: { current_password, new_password }, userId, address }) => {
    const user = await UserModel.query().findById(userId).throwIfNotFound();
    const isCorrect = await deps.loginLimits.guard(user.email, address, async () =>
      (await isPasswordOf(user, current_password)) ? true : undefined,
    );
    if (!isCorrect) throw invalid({ path: 'current_password', message: 'is not the current password' });
    return issueLogin(deps.loginTokens, await UserModel.setPassword(userId, await hashPassword(new_password)));
  }),
];

import * as recovery from '../../contract/account/recovery.ts';
import { UserModel } from '../../db/models/user.ts';
import { ApiError } from '../errors.ts';
import { requireProof } from '../guard/authenticate.ts';
import { handle } from '../http/handle.ts';
import { presentUser } from './present.ts';
import { confirmEmail, mailEmailLink, mailResetLink, resetPassword } from './recovery.ts';
import type { MailDeps } from '../deps.ts';
import { requireMailer } from '../mail/send.ts';

export const recoveryRoutes = (deps: MailDeps) => [
  handle(recovery.requestPasswordReset, async ({ body: { email }, address }) => {
    requireMailer(deps);
    mailResetLink(deps, { email, address }).catch((err: unknown) => {
      const isExpected = err instanceof ApiError && err.code === 'rate_limited';
      if (!isExpected) deps.log.error({ err }, 'could not mail a link');
    });
  }),

  handle(recovery.confirmPasswordReset, async ({ body, address }) => resetPassword(deps, { ...body, address })),

  handle(recovery.requestEmailLink, async ({ body: { email }, userId, login, address }) => {
    const user = await UserModel.query().findById(userId).throwIfNotFound();
    if (email !== user.email) requireProof(login);
    await mailEmailLink(deps, user, { email, address });
  }),

  handle(recovery.confirmEmail, async ({ body: { token }, userId }) =>
    presentUser(await confirmEmail(deps, userId, token)),
  ),
];

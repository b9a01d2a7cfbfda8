import * as contract from '../../contract/account/second-factor.ts';
import { LoginModel } from '../../db/models/login.ts';
import { RecoveryCodeModel, SecondFactorModel } from '../../db/models/second-factor.ts';
import { UserModel } from '../../db/models/user.ts';
import type { ApiDeps } from '../deps.ts';
import { invalidAt, refusal } from '../errors.ts';
import { requirePerson, requireProof } from '../guard/authenticate.ts';
import { handle } from '../http/handle.ts';
import { requirePassword } from '../guard/passwords.ts';
import { notify } from '../mail/send.ts';
import { confirmSecondFactor, replaceRecoveryCodes, requireCode, startSecondFactor } from './second-factor.ts';

const findUser = (userId: string) => UserModel.withDetails().findById(userId).throwIfNotFound();

export const secondFactorRoutes = (deps: ApiDeps) => [
  handle(contract.proveIdentity, async ({ body: { code, current_password }, userId, login, address }) => {
    const { id } = requirePerson(login);
    const user = await findUser(userId);
    if (user.has_second_factor) {
      if (code === undefined) throw invalidAt('code', 'required');
      await requireCode(deps, user, code, { address, loginId: id });
    } else {
      await requirePassword(deps, { userId, current_password, login, address });
    }
    await LoginModel.prove(id, { isStrong: user.has_second_factor });
  }),

  handle(contract.getSecondFactor, async ({ userId }) => {
    const { has_second_factor: enabled } = await findUser(userId);
    return { enabled, recovery_codes: await RecoveryCodeModel.count(userId) };
  }),

  handle(contract.startSecondFactor, async ({ userId, login }) => {
    requireProof(login);
    return startSecondFactor(deps, await findUser(userId));
  }),

  handle(contract.confirmSecondFactor, async ({ body: { code }, userId, login }) => {
    const { id } = requireProof(login);
    const recovery_codes = await confirmSecondFactor(deps, await findUser(userId), code);
    await LoginModel.prove(id, { isStrong: true });
    await LoginModel.endOthers(userId, id);
    return { recovery_codes };
  }),

  handle(contract.deleteSecondFactor, async ({ userId, login }) => {
    const { id } = requireProof(login);
    if (!(await SecondFactorModel.remove(userId))) return;
    await LoginModel.endOthers(userId, id);
    notify(deps, await findUser(userId), 'The second factor of your account was turned off.');
  }),

  handle(contract.createRecoveryCodes, async ({ userId, login }) => {
    requireProof(login);
    const user = await findUser(userId);
    if (!user.has_second_factor) throw refusal('no_second_factor');
    return { recovery_codes: await replaceRecoveryCodes(user) };
  }),
];

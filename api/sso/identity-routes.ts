import * as contract from '../../contract/sso.ts';
import type { Identity } from '../../contract/sso.ts';
import { IdentityModel } from '../../db/models/identity.ts';
import { UserModel } from '../../db/models/user.ts';
import { notify } from '../account/recovery.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError, requireFound } from '../errors.ts';
import { requireProof } from '../guard/authenticate.ts';
import { handle } from '../http/handle.ts';

export const identityRoutes = (deps: Pick<ApiDeps, 'mailer'>) => [
  handle(contract.listIdentities, async ({ userId }) => ({
    data: (await IdentityModel.findAllOwned(userId)).map(presentIdentity),
    next_cursor: null,
  })),

  handle(contract.deleteIdentity, async ({ params: { identity_id }, userId, login }) => {
    const identity = requireFound(await IdentityModel.findOwned(userId, identity_id), 'identity');
    requireProof({ login });
    if (!(await IdentityModel.unlink(identity))) {
      throw new ApiError('conflict', 'This is your only way to log in. Set a password first.');
    }
    const user = await UserModel.query().findById(userId).throwIfNotFound();
    notify(deps, user, 'A single sign-on was disconnected from your account.');
  }),
];

const presentIdentity = ({ id, issuer, email, created_at, last_used_at }: IdentityModel): Identity => ({
  ...{ identity_id: id, issuer, email },
  ...{ created_at: created_at.toISOString(), last_used_at: last_used_at.toISOString() },
});

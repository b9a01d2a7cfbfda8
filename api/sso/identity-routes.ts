import { loginFailed } from '../../contract/account/audit.ts';
import * as contract from '../../contract/account/sso.ts';
import { IdentityModel } from '../../db/models/identity.ts';
import { LoginModel } from '../../db/models/login.ts';
import { UserModel } from '../../db/models/user.ts';
import { checkCredentials, type Authenticated } from '../account/log-in.ts';
import { requireCookiePage } from '../account/login-routes.ts';
import { presentUser } from '../account/present.ts';
import { requireCode } from '../account/second-factor.ts';
import { notify } from '../mail/send.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError, invalidAt, refusal, requireFound } from '../errors.ts';
import type { AuditedRequest } from '../guard/audit.ts';
import { requireProof } from '../guard/authenticate.ts';
import { handle, presentRow } from '../http/handle.ts';
import { Reply } from '../reply.ts';
import { LINK_COOKIE, openConsole, record, type Unproven } from './complete.ts';
import { link } from './identify.ts';
import { applyGiven, findGiven } from './memberships.ts';
import { acceptAll } from '../workspaces/invitations.ts';
import { clearCookie, openCookie } from './sealed-cookies.ts';

export const identityRoutes = (deps: ApiDeps) => [
  handle(contract.linkSso, async ({ body, cookie, page, ...client }) => {
    requireCookiePage(page);
    const unproven = openCookie(deps, LINK_COOKIE, cookie(LINK_COOKIE.name)) as Unproven | undefined;
    const found = unproven && (await UserModel.withDetails().findById(unproven.userId));
    if (!found) throw refusal('sign_in_expired');
    const proof = { ...body, email: found.email, address: client.address };
    const { user, isStrong } = await prove(deps, found, { ...proof, needs: unproven.needs }).catch(
      async (error: unknown) => {
        await recordRefusal(deps, { body: proof, caller: client, address: client.address }, error);
        throw error;
      },
    );
    const known = await IdentityModel.use(unproven.claims);
    if (known?.id !== user.id && !(await link(deps, user, unproven.claims))) {
      throw refusal('identity_taken');
    }
    if (!known) {
      await LoginModel.endOthers(user.id);
      await record(user, 'identity_linked', client);
    }
    const added = await applyGiven(deps, user, await findGiven(deps, unproven.claims));
    const [joined = null] = [...(await acceptAll(deps, user, client.address)), ...added];
    const opened = await openConsole(deps, user, { isStrong: isStrong || unproven.claims.isStrong }, client);
    return new Reply(
      { user: presentUser(user), joined_workspace_id: joined },
      { headers: { 'Set-Cookie': [opened, clearCookie(LINK_COOKIE.name)] } },
    );
  }),

  handle(contract.listIdentities, async ({ userId }) => ({
    data: (await IdentityModel.findAllOwned(userId)).map(presentIdentity),
    next_cursor: null,
  })),

  handle(contract.deleteIdentity, async ({ params: { identity_id }, userId, login }) => {
    const identity = requireFound(await IdentityModel.findOwned(userId, identity_id), 'identity');
    const { id: keptLogin } = requireProof(login);
    if (!(await IdentityModel.unlink(identity))) {
      throw refusal('only_login');
    }
    await LoginModel.endOthers(userId, keptLogin);
    const user = await UserModel.query().findById(userId).throwIfNotFound();
    notify(deps, user, 'A single sign-on was disconnected from your account.');
  }),
];

interface Proof {
  needs: Unproven['needs'];
  email: string;
  password?: string | undefined;
  code?: string | undefined;
  address: string;
}

/** Throws unless the password, or the code of the second factor, is right. */
async function prove(
  deps: ApiDeps,
  user: UserModel,
  { needs, password, code, ...rest }: Proof,
): Promise<Authenticated> {
  if (needs === 'password') {
    if (password === undefined) throw invalidAt('password', 'required');
    return checkCredentials(deps, { ...rest, password, code });
  }
  if (code === undefined) throw refusal('second_factor_required:send');
  if (user.disabled_at) throw refusal('unauthorized:disabled');
  await requireCode(deps, user, code, rest);
  return { user, isStrong: true };
}

/** Records a wrong password or code as a failed login of the account. */
async function recordRefusal(
  { audit }: Pick<ApiDeps, 'audit'>,
  request: Omit<AuditedRequest, 'endpoint'>,
  error: unknown,
): Promise<void> {
  if (!(error instanceof ApiError)) return;
  const refusal = loginFailed({ code: error.code, errors: error.extras.errors ?? [] });
  if (refusal) await audit.refused({ ...request, endpoint: contract.linkSso }, refusal);
}

const presentIdentity = (row: IdentityModel) => presentRow(contract.IdentitySchema, { ...row, identity_id: row.id });

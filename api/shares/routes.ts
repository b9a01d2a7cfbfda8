import { randomBytes } from 'node:crypto';
import { typeid } from 'typeid-js';
import * as contract from '../../contract/sessions/shares.ts';
import { hasRoleScope } from '../../contract/values/scopes.ts';
import { BatchModel } from '../../db/models/batch.ts';
import { ShareModel } from '../../db/models/share.ts';
import { inMs } from '../../db/statements.ts';
import type { ApiDeps } from '../deps.ts';
import { refusal, requireFound } from '../errors.ts';
import { requirePerson } from '../guard/authenticate.ts';
import { DEFAULT_PAGE, handle, presentPage, presentRow } from '../http/handle.ts';
import { linkTo } from '../mail/messages.ts';
import { Reply } from '../reply.ts';
import { findSession } from '../runs/read-session.ts';
import { presentShared } from './present.ts';

/** Links of a workspace that have not expired. */
const MAX_SHARES = 100;

const DAY_MS = 24 * 3_600_000;

const present = ({ id, ...row }: ShareModel) => presentRow(contract.ShareSchema, { ...row, share_id: id });

export const shareRoutes = ({ config: { sharedLinks, publicUrl } }: Pick<ApiDeps, 'config'>) => [
  handle(contract.createShare, async ({ body, workspaceId, userId, login }) => {
    requirePerson(login);
    if (!sharedLinks) throw refusal('sharing_off');
    const { session_id = null, batch_id = null, parts, expires_in_days } = body;
    if (session_id !== null) await findSession(workspaceId, session_id);
    if (batch_id !== null) {
      const { action } = requireFound(await BatchModel.findOwned(workspaceId, batch_id), 'batch');
      if (action !== 'reanalyze') throw refusal('not_reanalyses');
    }
    const token = randomBytes(32).toString('base64url');
    const ids = { id: typeid('shr').toString(), workspace_id: workspaceId, session_id, batch_id, created_by: userId };
    const stored = { ...ids, parts, token, expires_at: inMs(expires_in_days * DAY_MS) };
    const share = await ShareModel.create(stored, MAX_SHARES);
    if (!share) throw refusal('shares_limit', { max: MAX_SHARES });
    return { ...present(share), token, url: publicUrl === undefined ? null : linkTo('shared', publicUrl, token) };
  }),

  handle(contract.listShares, async ({ query: { limit = DEFAULT_PAGE, cursor, ...filter }, workspaceId }) =>
    presentPage(await ShareModel.findOwnedPage(workspaceId, filter, { limit, cursor }), present),
  ),

  handle(contract.revokeShare, async ({ params: { id }, workspaceId }) => {
    requireFound((await ShareModel.query().delete().where({ id, workspace_id: workspaceId })) === 1, 'link');
  }),

  handle(contract.openShare, async ({ body }) => {
    const share = sharedLinks ? await ShareModel.findOpen(body.token) : undefined;
    const isOpen = share !== undefined && hasRoleScope(share.role, 'sessions:write');
    const shared = isOpen ? await presentShared(share) : undefined;
    return new Reply(requireFound(shared, 'link'), { status: 200, headers: { 'X-Robots-Tag': 'noindex' } });
  }),
];

import { ApiKeyModel } from '../../db/models/api-key.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { AuditEventModel } from '../../db/models/audit-event.ts';
import { BatchModel } from '../../db/models/batch.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { LoginModel } from '../../db/models/login.ts';
import { SessionModel } from '../../db/models/session.ts';
import { UserModel } from '../../db/models/user.ts';
import { presentAssistant } from '../assistants/present.ts';
import { presentAuditEvent } from '../audit/routes.ts';
import { presentBatch } from '../batches/present.ts';
import { presentDelivery } from '../deliveries/present.ts';
import type { ApiDeps } from '../deps.ts';
import { Reply, type BytesReply } from '../reply.ts';
import type { RequestFacts } from '../http/handle.ts';
import { presentApiKey } from '../keys/routes.ts';
import { downloadHeaders, sessionFiles, toArchive, toFile, type ArchivedFile } from '../sessions/archive.ts';
import { presentLogin, presentUser } from './present.ts';

type ExportDeps = Pick<ApiDeps, 'audio' | 'config' | 'exports'>;

type ExportRequest = Pick<RequestFacts, 'workspaceId' | 'userId' | 'role' | 'isHead' | 'signal'>;

/**
 * Responds with all data of a user as a ZIP archive. An owner also gets the data of the workspace. Throws `rate_limited`
 * while this process sends the same user another archive.
 */
export async function exportAccount(deps: ExportDeps, request: ExportRequest): Promise<BytesReply> {
  const { workspaceId, userId, isHead } = request;
  const user = await UserModel.withDetails(workspaceId).findById(userId).throwIfNotFound();
  const headers = downloadHeaders('application/zip', 'conversations', 'zip');
  if (isHead) return new Reply(undefined, { headers });
  return new Reply(
    deps.exports.start(userId, 1, () => toArchive(filesOf(deps, user, request))),
    { headers },
  );
}

/** Yields all data of a user as the API presents it, without secrets. Each file is read when the client is ready for it. */
async function* filesOf(
  deps: ExportDeps,
  user: UserModel,
  { workspaceId: workspace_id, role, signal }: ExportRequest,
): AsyncGenerator<ArchivedFile> {
  yield { name: 'profile.json', input: JSON.stringify(presentUser(user), null, 2) };
  yield toFile(
    'logins',
    () => LoginModel.query().where({ user_id: user.id }),
    (row) => presentLogin(row, undefined),
  );
  yield toFile('account_audit', () => AuditEventModel.query().where({ user_id: user.id }), presentAuditEvent);
  if (role === 'owner') yield* workspaceFiles(deps, { workspace_id }, signal);
}

async function* workspaceFiles(
  deps: ExportDeps,
  own: { workspace_id: string },
  signal: AbortSignal,
): AsyncGenerator<ArchivedFile> {
  yield toFile('assistants', () => AssistantModel.findExisting(own.workspace_id), presentAssistant);
  yield toFile('tokens', () => ApiKeyModel.query().where(own), presentApiKey);
  yield toFile('audit', () => AuditEventModel.query().where(own), presentAuditEvent);
  yield toFile('batches', () => BatchModel.query().where(own), presentBatch);
  yield toFile(
    'deliveries',
    () => DeliveryModel.query().where(own).withGraphFetched('attempts'),
    (row) => ({ ...presentDelivery(row), payload: row.payload }),
  );
  yield* sessionFiles(deps, () => SessionModel.query().where(own), { signal, messages: true });
}

import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { makeZip } from 'client-zip';
import { UserModel } from '../../db/models/user.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError } from '../errors.ts';
import { BytesReply } from '../http/handle.ts';
import { accountFiles } from './account-files.ts';

/** Seconds after which a user whose export is under way may ask again. */
const RETRY_AFTER_S = 60;

interface ExportRequest {
  userId: string;
  isHead: boolean;
  signal: AbortSignal;
}

/**
 * Returns what answers with everything of a user as an archive, which is made as fast as the client takes it. A user has
 * one at a time in each process.
 */
export function createExportAccount(deps: Pick<ApiDeps, 'audio' | 'config'>) {
  const underWay = new Set<string>();
  return async function exportAccount({ userId, isHead, signal }: ExportRequest): Promise<BytesReply> {
    const user = await UserModel.query().findById(userId).throwIfNotFound();
    const day = new Date().toISOString().slice(0, 10);
    const headers = {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="conversations-${day}.zip"`,
    };
    if (isHead) return new BytesReply(undefined, { status: 200, headers });
    if (underWay.has(userId)) {
      throw new ApiError('rate_limited', 'Your account is being exported already. Wait until that file is complete.', {
        headers: { 'Retry-After': String(RETRY_AFTER_S) },
      });
    }
    underWay.add(userId);
    const archive = Readable.fromWeb(makeZip(accountFiles(deps, user, signal)) as ReadableStream);
    archive.once('close', () => underWay.delete(userId));
    return new BytesReply(archive, { status: 200, headers });
  };
}

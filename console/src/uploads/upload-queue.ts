/** Uploads recordings, three at a time. Uploads continue while other pages are shown, and end when the tab is closed. */
import { Store, useSelector } from '@tanstack/react-store';
import { makeUploadKey } from 'conversation-analysis-client/uploads';
import pLimit from 'p-limit';
import type { SessionStatus } from '../../../contract/values/constants.ts';
import { refresh } from '../server/queries.ts';
import { sendRecording } from './send-recording.ts';

export interface Upload {
  id: number;
  file: File;
  assistantId: string;
  metadata: Record<string, string>;
  state: 'waiting' | 'sending' | 'accepted' | 'failed';
  /** From 0 to 1. */
  progress: number;
  sessionId?: string;
  status?: SessionStatus;
  isReplayed?: boolean;
  /** Why the upload failed. */
  error?: unknown;
}

const limit = pLimit(3);
const uploads = new Store<readonly Upload[]>([]);
let lastId = 0;
let stopping = new AbortController();

const isUnfinished = ({ state }: Upload) => state === 'waiting' || state === 'sending';

const change = (id: number, fields: Partial<Upload>) =>
  uploads.setState((all) => all.map((upload) => (upload.id === id ? { ...upload, ...fields } : upload)));

/** @param dataOf the data of a recording, besides its name. */
export function addUploads(
  files: readonly File[],
  assistantId: string,
  dataOf: (file: File) => Upload['metadata'],
): void {
  const added = files.map((file): Upload => ({
    id: ++lastId,
    file,
    assistantId,
    // People know a call by the name of its recording.
    metadata: { file_name: file.name, ...dataOf(file) },
    state: 'waiting',
    progress: 0,
  }));
  uploads.setState((all) => [...all, ...added]);
  added.forEach(enqueue);
}

export function retryFailedUploads(): void {
  for (const upload of uploads.state.filter(({ state }) => state === 'failed')) {
    change(upload.id, { state: 'waiting', progress: 0, error: undefined });
    enqueue(upload);
  }
}

/** Cancels unfinished uploads. The sessions of accepted recordings continue on the server. */
export function stopUploads(): void {
  stopping.abort();
  stopping = new AbortController();
  limit.clearQueue();
  uploads.setState((all) => all.filter((upload) => !isUnfinished(upload)));
}

export const clearUploads = () => uploads.setState((all) => all.filter(isUnfinished));

/** Sets the status of the session of one or more uploads: equal files share one. */
export function setSessionStatus(sessionId: string, status: SessionStatus): void {
  for (const upload of uploads.state) {
    if (upload.sessionId === sessionId && upload.status !== status) change(upload.id, { status });
  }
}

function enqueue(upload: Upload): void {
  const { signal } = stopping;
  void limit(() => send(upload, signal));
}

async function send({ id, file, assistantId, metadata }: Upload, signal: AbortSignal): Promise<void> {
  change(id, { state: 'sending' });
  try {
    // The key covers the metadata, because the same file with other metadata is a different request. A renamed or copied file is not.
    const pairs = Object.entries(metadata)
      .filter(([name]) => name !== 'file_name')
      .flat();
    const key = await makeUploadKey(file, [assistantId, ...pairs].join('\n'));
    signal.throwIfAborted();
    const onProgress = (progress: number) => change(id, { progress });
    const { session, isReplayed } = await sendRecording({ file, assistantId, metadata, key, signal, onProgress });
    const { session_id: sessionId, status } = session;
    change(id, { state: 'accepted', progress: 1, sessionId, status, isReplayed });
  } catch (error) {
    // The file can't be read if it was moved or changed. A canceled upload is no longer in the list, so this has no effect.
    change(id, { state: 'failed', progress: 0, error });
  }
  // Catches up on session events that arrived before the response with the session's ID.
  if (!uploads.state.some(isUnfinished)) void refresh('listSessions');
}

const preventClose = (event: BeforeUnloadEvent) => event.preventDefault();

// The browser asks for confirmation before it closes a tab with unfinished uploads.
uploads.subscribe((all) => {
  if (all.some(isUnfinished)) addEventListener('beforeunload', preventClose);
  else removeEventListener('beforeunload', preventClose);
});

export const useUploads = () => useSelector(uploads);

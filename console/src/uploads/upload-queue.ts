/** Recordings on their way, three at a time. They go on while other pages are looked at, and end with the tab. */
import { useSyncExternalStore } from 'react';
import { makeUploadKey } from '../../../clients/typescript/uploads/index.ts';
import type { SessionStatus } from '../../../contract/constants.ts';
import { refresh } from '../server/queries.ts';
import { sendRecording } from './send-recording.ts';

export interface Upload {
  id: number;
  file: File;
  assistantId: string;
  state: 'waiting' | 'sending' | 'accepted' | 'failed';
  /** From 0 to 1. */
  progress: number;
  sessionId?: string;
  status?: SessionStatus;
  isReplayed?: boolean;
  /** Why it was not taken. */
  error?: unknown;
}

export const MAX_PARALLEL = 3;

let uploads: readonly Upload[] = [];
let lastId = 0;
let stopping = new AbortController();
const listeners = new Set<() => void>();

function publish(next: readonly Upload[]): void {
  uploads = next;
  for (const listener of listeners) listener();
}

const change = (id: number, fields: Partial<Upload>) =>
  publish(uploads.map((upload) => (upload.id === id ? { ...upload, ...fields } : upload)));

export function addUploads(files: readonly File[], assistantId: string): void {
  const added = files.map((file): Upload => ({ id: ++lastId, file, assistantId, state: 'waiting', progress: 0 }));
  publish([...uploads, ...added]);
  work();
}

export function retryFailedUploads(): void {
  publish(
    uploads.map((upload) =>
      upload.state === 'failed' ? { ...upload, state: 'waiting', progress: 0, error: undefined } : upload,
    ),
  );
  work();
}

/** Ends what is on its way and drops what waits; what was accepted goes on in the service. */
export function stopUploads(): void {
  stopping.abort();
  stopping = new AbortController();
  publish(uploads.filter(({ state }) => state === 'accepted' || state === 'failed'));
}

export function clearUploads(): void {
  publish(uploads.filter(({ state }) => state === 'waiting' || state === 'sending'));
}

/** Takes what events and lists tell of the sessions that uploads became. */
export function noteSessionStatus(sessionId: string, status: SessionStatus): void {
  const upload = uploads.find((each) => each.sessionId === sessionId);
  if (upload && upload.status !== status) change(upload.id, { status });
}

function work(): void {
  const free = MAX_PARALLEL - uploads.filter(({ state }) => state === 'sending').length;
  for (const { id } of uploads.filter(({ state }) => state === 'waiting').slice(0, free)) void send(id);
  guardTab();
}

async function send(id: number): Promise<void> {
  change(id, { state: 'sending' });
  const upload = uploads.find((each) => each.id === id);
  if (!upload) return;
  const { file, assistantId } = upload;
  const { signal } = stopping;
  try {
    const key = await makeUploadKey(file, assistantId);
    if (signal.aborted) return;
    const onProgress = (progress: number) => change(id, { progress });
    const { session, isReplayed } = await sendRecording({ file, assistantId, key, signal, onProgress });
    const { session_id: sessionId, status } = session;
    change(id, { state: 'accepted', progress: 1, sessionId, status, isReplayed });
  } catch (error) {
    // A stopped one is gone from the list already. A file that was moved or changed meanwhile can't be read.
    change(id, { state: 'failed', error });
  }
  work();
  // An event that came before the answer was told of a session that nobody knew here yet.
  if (!isUnderWay()) void refresh('listSessions');
}

const isUnderWay = () => uploads.some(({ state }) => state === 'waiting' || state === 'sending');

/** Makes the browser ask before the tab is closed, while something is on its way. */
function guardTab(): void {
  if (isUnderWay()) addEventListener('beforeunload', askFirst);
  else removeEventListener('beforeunload', askFirst);
}

const askFirst = (event: BeforeUnloadEvent) => event.preventDefault();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useUploads = () => useSyncExternalStore(subscribe, () => uploads);

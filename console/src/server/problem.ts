/** What can go wrong with a call, in one form. */
import type { Problem } from '../../../clients/typescript/src/index.ts';

/** `away`: no answer came, or one of a proxy that speaks for an API that does not answer. */
export interface CallFailure {
  kind: 'problem' | 'away';
  status: number;
  title: string;
  detail: string;
  requestId: string | null;
  /** Messages by the dotted path of the field. */
  fields: Record<string, string>;
  sessionId: string | null;
}

/** Returns the failure that the client threw: a problem of the API, or whatever `fetch` threw without an answer. */
export function toFailure(error: unknown): CallFailure {
  if (!isProblem(error)) {
    return { kind: 'away', status: 0, title: '', detail: '', requestId: null, fields: {}, sessionId: null };
  }
  return {
    kind: 'problem',
    status: error.status,
    title: error.title,
    detail: error.detail,
    requestId: error.request_id,
    fields: Object.fromEntries((error.errors ?? []).map(({ path, message }) => [path, message])),
    sessionId: error.session_id ?? null,
  };
}

function isProblem(error: unknown): error is Problem {
  return typeof error === 'object' && error !== null && 'code' in error && 'request_id' in error;
}

export const isUnauthorized = (error: unknown) => toFailure(error).status === 401;
export const isNotFound = (error: unknown) => toFailure(error).status === 404;

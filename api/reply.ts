import type { Readable } from 'node:stream';
import type { AuditDetails } from '../contract/values/endpoint.ts';

/** A response with headers, or with another status than the endpoint's first. */
export class Reply<T> {
  readonly body: T;
  readonly status: number | undefined;
  readonly headers: Record<string, string | string[]>;
  /** What the audit trail says, besides what the endpoint declares. */
  readonly audited: AuditDetails;

  constructor(body: T, { status, headers = {}, audited = {} }: Partial<Omit<Reply<T>, 'body'>>) {
    this.body = body;
    this.status = status;
    this.headers = headers;
    this.audited = audited;
  }
}

/** Wraps the response of a handler that returned only a body. */
export const toReply = (outcome: unknown): Reply<unknown> =>
  outcome instanceof Reply ? (outcome as Reply<unknown>) : new Reply(outcome, {});

/** A response of bytes, for endpoints that declare `produces`. undefined: the response has no body, such as to HEAD. */
export type BytesReply = Reply<Readable | Buffer | undefined>;

/** Ties an endpoint's declaration to the function that serves it. */
import type { Readable } from 'node:stream';
import type { Endpoint, EndpointAnswer, EndpointInput, UploadDeclaration } from '../../contract/endpoint.ts';
import type { FormReader } from '../uploads.ts';
import type { Caller } from './authenticate.ts';
import type { PageFacts } from './page-facts.ts';

/** What a handler is told of the request besides its parsed parts; nobody is the caller where nobody has to log in. */
export interface RequestFacts extends Caller {
  /** The client's address, as the trusted proxies report it. */
  address: string;
  /** As the client names itself; empty where it does not. */
  userAgent: string;
  page: PageFacts;
  /** Aborts when the client goes away. */
  signal: AbortSignal;
  /** Says that only the headers of the answer are wanted. */
  isHead: boolean;
  /** Lets the user's next request begin; to be called before a wait that costs nothing. */
  endTurn: () => void;
}

/** An `upload` endpoint reads its form when its handler asks for it. */
interface Form<U extends UploadDeclaration> {
  readForm: FormReader<U>;
}

type FormOf<E extends Endpoint> = E['upload'] extends UploadDeclaration ? Form<E['upload']> : unknown;

/** An answer with a status other than the endpoint's first, or with headers. */
export class Reply<T> {
  readonly body: T;
  readonly status: number | undefined;
  readonly headers: Record<string, string>;

  constructor(body: T, { status, headers = {} }: { status?: number; headers?: Record<string, string> }) {
    this.body = body;
    this.status = status;
    this.headers = headers;
  }
}

/** Returns a reply of what a handler answered, which is its body alone where the first status and no headers are meant. */
export const toReply = (outcome: unknown): Reply<unknown> =>
  outcome instanceof Reply ? (outcome as Reply<unknown>) : new Reply(outcome, {});

/** An answer of bytes, for endpoints that declare what they produce. Without a stream, only its headers are sent. */
export class BytesReply extends Reply<undefined> {
  readonly stream: Readable | undefined;

  constructor(stream: Readable | undefined, { status, headers }: { status: number; headers: Record<string, string> }) {
    super(undefined, { status, headers });
    this.stream = stream;
  }
}

/** Some items of a list, and the cursor behind the last of them. */
export interface ListPart<T> {
  data: readonly T[];
  next_cursor: string | null;
}

/** A list whose items are sent as they are read, so that it is never held whole. Its cursor is that of the last part. */
export class ListReply<T> extends Reply<undefined> {
  readonly parts: AsyncIterable<ListPart<T>>;

  constructor(parts: AsyncIterable<ListPart<T>>) {
    super(undefined, {});
    this.parts = parts;
  }
}

type Handler<E extends Endpoint> = (
  input: EndpointInput<E> & RequestFacts & FormOf<E>,
) => Promise<EndpointAnswer<E> | Reply<EndpointAnswer<E>> | BytesAnswer<E> | ListAnswer<E>>;

type BytesAnswer<E extends Endpoint> = E['produces'] extends readonly string[] ? BytesReply : never;

type ListAnswer<E extends Endpoint> = EndpointAnswer<E> extends { data: (infer T)[] } ? ListReply<T> : never;

export interface Route {
  endpoint: Endpoint;
  serve: (input: EndpointInput<Endpoint> & RequestFacts & Partial<Form<UploadDeclaration>>) => Promise<unknown>;
}

/**
 * Returns the route of an endpoint. The types of input and answer follow from its declaration; the router parses both
 * with its schemas.
 */
export function handle<E extends Endpoint>(endpoint: E, serve: Handler<E>): Route {
  return { endpoint, serve: serve as Route['serve'] };
}

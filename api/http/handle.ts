/** Connects the declaration of an endpoint to the function that serves it. */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { Endpoint, EndpointAnswer, EndpointInput, UploadDeclaration } from '../../contract/values/endpoint.ts';
import { COUNT_LIMIT } from '../../contract/values/schemas.ts';
import type { Page } from '../../db/page.ts';
import type { RowOf } from '../../db/statements.ts';
import { refusal } from '../errors.ts';
import type { Caller } from '../guard/authenticate.ts';
import type { PageFacts } from '../guard/console-cookie.ts';
import type { FormReader } from './read-upload.ts';
import type { BytesReply, Reply } from '../reply.ts';

/** What a handler receives besides the parsed request. The caller's fields are empty on public endpoints. */
export interface RequestFacts extends Caller {
  /** The client's address, as the trusted proxies report it. */
  address: string;
  /** The `User-Agent` header; empty if missing. */
  userAgent: string;
  page: PageFacts;
  cookie: (name: string) => string | undefined;
  /** Aborts when the response is sent or the client disconnects. */
  signal: AbortSignal;
  /** True for HEAD: the response has no body. */
  isHead: boolean;
}

interface Form<U extends UploadDeclaration> {
  /** Reads the form of an `upload` endpoint. */
  readForm: FormReader<U>;
}

type FormOf<E extends Endpoint> = E['upload'] extends UploadDeclaration ? Form<E['upload']> : unknown;

type Answer<E extends Endpoint> =
  | EndpointAnswer<E>
  | Reply<EndpointAnswer<E>>
  | (E['produces'] extends readonly string[] ? BytesReply : never);

/**
 * Returns the response, or a function that waits for it, such as for the end of a session. The router calls that
 * function outside the gate, so the wait does not count as a running request of the workspace.
 */
type Handler<E extends Endpoint> = (
  input: EndpointInput<E> & RequestFacts & FormOf<E>,
) => Promise<Answer<E> | (() => Promise<Answer<E>>)>;

export interface Route {
  endpoint: Endpoint;
  serve: (input: EndpointInput<Endpoint> & RequestFacts & Partial<Form<UploadDeclaration>>) => Promise<unknown>;
}

/** Returns the route of an endpoint. The router parses input and response with the endpoint's schemas. */
export function handle<E extends Endpoint>(endpoint: E, serve: Handler<E>): Route {
  return { endpoint, serve: serve as Route['serve'] };
}

/** Rows of a page whose size the client does not choose. */
export const DEFAULT_PAGE = 50;

/** Returns the members of a row that the schema declares, with times in ISO 8601. All other columns are left out. */
export function presentRow<S extends z.ZodObject>({ shape }: S, row: RowOf<z.output<S>>): z.output<S> {
  const members = Object.entries<unknown>(row).filter(([name]) => Object.hasOwn(shape, name));
  const presented = members.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]);
  return Object.fromEntries(presented) as z.output<S>;
}

/** Returns a page of rows as a list response. */
export const presentPage = <Row, Item>({ rows, next_cursor }: Page<Row>, present: (row: Row) => Item) => ({
  data: rows.map((row) => present(row)),
  next_cursor,
});

/** Counts one more than the limit, to know whether there are more. */
export const presentCount = async (count: (most: number) => Promise<number>) => {
  const counted = await count(COUNT_LIMIT + 1);
  return { total: Math.min(counted, COUNT_LIMIT), has_more: counted > COUNT_LIMIT };
};

/** Returns the strong entity tag of a body. RFC 9110 §8.8.3. */
export function etagOf(json: string | Buffer): string {
  return `"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"`;
}

/**
 * A tag as proxies that compress responses send it: weak (nginx, CDNs) or with a suffix (Apache). The content of the JSON is the
 * same, so the tag still proves which version the client read.
 */
const CHANGED_BY_PROXIES = /^(?:W\/)?"([\w-]{22})[^"]*"[\w;-]*$/i;

/**
 * Throws `precondition_failed` unless the `If-Match` header, if present, contains the entity tag of the resource. RFC 9110 §13.1.1.
 * @param body the resource as a handler of the endpoint returns it.
 */
export function requireMatch(ifMatch: string | undefined, { answers }: Endpoint, body: unknown): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const current = etagOf(JSON.stringify(answers[200]?.parse(body)));
  if (ifMatch.split(',').some((tag) => tag.trim().replace(CHANGED_BY_PROXIES, '"$1"') === current)) return;
  throw refusal('precondition_failed', { headers: { ETag: current } });
}

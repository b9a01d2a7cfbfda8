/** How an endpoint is declared. The router, validation, audit trail, tests and the OpenAPI document read the same declaration. */
import type { z } from 'zod';
import type { AuditAction } from './constants.ts';
import type { ErrorCode } from '../errors/errors.ts';
import type { PropertyError } from '../errors/problem.ts';
import type { Scope } from './scopes.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

type Tag =
  | 'Account'
  | 'Workspaces'
  | 'API tokens'
  | 'Assistants'
  | 'Requests'
  | 'Sessions'
  | 'Batches'
  | 'Shared links'
  | 'Deliveries'
  | 'Usage'
  | 'Events'
  | 'Service';

interface Declaration {
  summary: string;
  /** What the summary does not say: behavior, limits, conditions. */
  description?: string;
  /** Scope that the API token, or the role of the member, needs; null: the endpoint needs no authentication. */
  scope: Scope | null;
  /** Also allowed with `sessions:own`, if the token created the session. */
  readsOwn?: true;
  params?: z.ZodObject | undefined;
  query?: z.ZodObject | undefined;
  /** Request headers that the endpoint reads, by lowercase name. */
  headers?: z.ZodObject | undefined;
  /** JSON body; may be optional. An endpoint without one ignores the request body. */
  body?: z.ZodType | undefined;
  /** Maximum size of the body, in bytes; default: 1 MiB, and without authentication 4 KiB. */
  bodyLimit?: number;
  /** A multipart/form-data body. With `body`, the client chooses one of them by the Content-Type. */
  upload?: UploadDeclaration | undefined;
  /** Schema of each success status; a handler's plain return value has the first status. `null`: no JSON. */
  answers: Record<number, z.ZodType | null>;
  /** Responses have an `ETag`, and changes accept it as `If-Match`. */
  etag?: boolean;
  /** Media types of binary or text responses. */
  produces?: readonly string[] | undefined;
  /** Path of the created resource, with `{name}` for fields of the response. Sent as `Location`. */
  location?: string;
  /** The response sets or clears the console's cookie. */
  setsCookie?: boolean;
  /** Errors beyond those that every endpoint can return. */
  errors?: readonly ErrorCode[];
}

interface Route {
  operationId: string;
  method: Method;
  /** Below the base path, with `{name}` for path parameters. */
  path: string;
  tag: Tag;
}

type DeclaredEndpoint = Declaration & Route;

/** An endpoint whose types are erased. */
export type Endpoint = DeclaredEndpoint & { audit?: AuditRule<never, never> };

/** Which requests add an event to the audit trail, and what the event contains. */
interface AuditRule<Request, Answer> {
  action: AuditAction | ((request: Request) => AuditAction);
  /** Whether a successful request is recorded; default: always. */
  when?: (request: Request, answer: Answer) => boolean;
  /** Records repeated requests for the same object once per login. Requests with a token are always recorded. */
  isOncePerLogin?: boolean;
  /** Workspace of the event; default: that of the request. */
  workspace?: (request: Request, answer: Answer) => string;
  /** ID of the changed object; default: the ID in the path. */
  object?: (request: Request, answer: Answer) => string | undefined;
  details?: (request: Request, answer: Answer) => AuditDetails;
  /** Returns the event of a refused request, or undefined. Repeated refusals are recorded once an hour. */
  refused?: (refusal: Refusal, request: Request) => AuditedRefusal | undefined;
}

export type AuditDetails = Record<string, string | number | null>;

/** The problem that a refused request was answered with. */
export interface Refusal {
  code: ErrorCode;
  errors: readonly PropertyError[];
}

export interface AuditedRefusal {
  action: AuditAction;
  object?: string;
  details: AuditDetails;
}

/** Maximum body of an endpoint without authentication. */
export const PUBLIC_BODY_LIMIT = 4 * 1024;

/** Returns the maximum size of a JSON body, in bytes. */
export const bodyLimitOf = ({ bodyLimit, scope }: Pick<Declaration, 'bodyLimit' | 'scope'>) =>
  bodyLimit ?? (scope === null ? PUBLIC_BODY_LIMIT : 1024 * 1024);

/** Text fields and one file, in any order. */
export interface UploadDeclaration {
  /** A strict schema: undeclared fields are refused. */
  fields: z.ZodObject;
  /** Name of the part that contains the file. */
  file: string;
}

type Shape = z.ZodObject | undefined;

/** The parts of a declaration whose types the handler and the audit rule have. */
interface Parts<P, Q, H, B, U, M, A> {
  params: P;
  query: Q;
  headers: H;
  body: B;
  upload: U;
  produces: M;
  answers: A;
}

/**
 * Returns the function that declares the endpoints of a tag: `endpoint('getSession', 'get /v1/sessions/{id}', {…})`. The audit rule
 * is typed by the schemas, which are type parameters of their own, so that they are inferred before its functions.
 */
export const endpointsOf =
  (tag: Tag) =>
  <
    const A extends Declaration['answers'],
    P extends Shape = undefined,
    Q extends Shape = undefined,
    H extends Shape = undefined,
    B extends z.ZodType | undefined = undefined,
    U extends UploadDeclaration | undefined = undefined,
    const M extends readonly string[] | undefined = undefined,
  >(
    operationId: string,
    route: `${Method} /${string}`,
    declaration: Rest &
      Partial<Parts<P, Q, H, B, U, M, A>> & { answers: A; audit?: RuleOf<Declared<P, Q, H, B, U, M, A>> },
  ): Declared<P, Q, H, B, U, M, A> & Route => {
    const [method, path] = route.split(' ') as [Method, string];
    return { operationId, method, path, tag, ...declaration } as never;
  };

type Rest = Omit<Declaration, keyof Parts<0, 0, 0, 0, 0, 0, 0>>;
type Declared<P, Q, H, B, U, M, A> = Rest & Parts<P, Q, H, B, U, M, A>;
type RuleOf<E extends Declaration> = AuditRule<EndpointInput<E> & { loginId: string | undefined }, EndpointAnswer<E>>;

type OutputOf<S> = S extends z.ZodType ? z.output<S> : undefined;
type AnswerOf<S> = S extends z.ZodType ? z.output<S> : void;

/** The parsed parts of a request. */
export interface EndpointInput<E extends Declaration> {
  params: OutputOf<E['params']>;
  query: OutputOf<E['query']>;
  headers: OutputOf<E['headers']>;
  body: E['upload'] extends UploadDeclaration ? OutputOf<E['body']> | undefined : OutputOf<E['body']>;
}

/** What a handler may return. */
export type EndpointAnswer<E extends Declaration> = AnswerOf<E['answers'][keyof E['answers']]>;

/** How one endpoint is declared; router, validation, tests and OpenAPI all read the same declaration. */
import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { Scope } from './scopes.ts';

type ObjectSchema = z.ZodObject;

export type Endpoint = EndpointDeclaration &
  (
    | { auth: 'none' }
    | {
        auth: 'bearer';
        /** What a token that is limited must be allowed. */
        scope: Scope;
      }
  );

interface EndpointDeclaration {
  operationId: string;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Below the base path, with `{name}` for path parameters. */
  path: string;
  summary: string;
  tag:
    | 'Account'
    | 'API tokens'
    | 'Assistants'
    | 'Requests'
    | 'Sessions'
    | 'Batches'
    | 'Deliveries'
    | 'Usage'
    | 'Events'
    | 'Service';
  params?: ObjectSchema;
  query?: ObjectSchema;
  /** Request headers that mean something here, by their names in lower case. */
  headers?: ObjectSchema;
  /** JSON body; an endpoint without one ignores what is sent. */
  body?: z.ZodType;
  /** Largest body, in bytes. */
  bodyLimit?: number;
  /** A multipart/form-data body instead of a JSON one. */
  upload?: UploadDeclaration;
  /** Schema of each success status; the first one is what a handler's bare answer means. `null`: no JSON. */
  answers: Record<number, z.ZodType | null>;
  /** Each answer carries an entity tag, which `If-Match` of a change may name. */
  etag?: boolean;
  /** Media types of what the answers hold instead of JSON; they are bytes then. */
  produces?: readonly string[];
  /** Path of what was created, with `{name}` for fields of the answer; sent as `Location`. */
  location?: string;
  /** Its answer sets or clears the console's cookie. */
  setsCookie?: boolean;
  /** Errors beyond those every endpoint can give. */
  errors?: ErrorCode[];
}

/** Text fields and one file, in any order. */
export interface UploadDeclaration {
  /** Strict: a field that it does not declare is refused. */
  fields: ObjectSchema;
  /** Name of the part that holds the file. */
  file: string;
}

/** Keeps the literal types of the declaration. */
export function endpoint<const E extends Endpoint>(declaration: E): E {
  return declaration;
}

type OutputOf<S> = S extends z.ZodType ? z.output<S> : undefined;
type AnswerOf<S> = S extends z.ZodType ? z.output<S> : void;

/** What a handler is given: the parsed parts of the request. */
export interface EndpointInput<E extends Endpoint> {
  params: OutputOf<E['params']>;
  query: OutputOf<E['query']>;
  headers: OutputOf<E['headers']>;
  body: OutputOf<E['body']>;
}

/** What a handler may answer with. */
export type EndpointAnswer<E extends Endpoint> = AnswerOf<E['answers'][keyof E['answers']]>;

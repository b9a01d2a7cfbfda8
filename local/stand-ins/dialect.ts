/** A provider's wire format. */
import type { IncomingMessage } from 'node:http';
import type { ProviderName } from '../../contract/values/constants.ts';
import type { Directive } from './directives.ts';

export interface Dialect {
  provider: ProviderName;
  method: 'GET' | 'POST';
  /** Pattern of the request's path. */
  path: RegExp;
  /** Reads the request. Throws `Refusal` if the provider would refuse it. */
  read(request: IncomingMessage, path: string): Promise<ProviderRequest>;
  error(status: number, message: string): unknown;
}

interface ProviderRequest {
  /** Text that may contain a directive: the prompt, or the file name. */
  text: string;
  fields: Record<string, string>;
  /** Size of the file; null if the request has none. */
  fileBytes: number | null;
  answer(directive: Directive): unknown;
}

/** Thrown by `read` and `answer` for requests that the provider would refuse. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

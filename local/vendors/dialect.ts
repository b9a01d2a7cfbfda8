/** What the server needs to know of a vendor's wire format. */
import type { IncomingMessage } from 'node:http';
import type { ProviderName } from '../../contract/constants.ts';
import type { Directive } from './directive.ts';

export interface Dialect {
  vendor: ProviderName;
  method: 'GET' | 'POST';
  /** Matched against the path. */
  path: RegExp;
  /** Reads the whole request; throws if it is nothing that the vendor takes. */
  read(request: IncomingMessage, path: string): Promise<VendorRequest>;
  error(status: number, message: string): unknown;
}

export interface VendorRequest {
  /** Where a directive may stand: in what is to be analyzed, or in the name of the file. */
  text: string;
  fields: Record<string, string>;
  /** null: no file came with it. */
  fileBytes: number | null;
  answer(directive: Directive): unknown;
}

/** Is thrown by `read` and `answer` for what the vendor itself would refuse. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

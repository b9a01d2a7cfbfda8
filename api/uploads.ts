/** What the reader of a form and those who receive its file agree on. */
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { UploadDeclaration } from '../contract/endpoint.ts';

/** Decides what becomes of the file. */
export interface FileReceiver<T> {
  /**
   * Called when the file begins; it reads `file` to its end. `fields` came before it, unchecked. What it throws ends
   * the upload at once; `signal` aborts when something else does.
   */
  receive(file: Readable, info: FileInfo): Promise<T>;
  /** Undoes `receive` when what came with or after the file is wrong. */
  discard(received: T): Promise<void>;
}

export interface FileInfo {
  /** As the client sent it, without folders; not fit to be a path. */
  name: string;
  fields: Readonly<Record<string, unknown>>;
  /** Lowers the bound of the file. Returns how many bytes it can have at the most. */
  limitTo(maxBytes: number): number;
  signal: AbortSignal;
}

export interface UploadLimits {
  maxBytes: number;
  /** Longest silence of the client. */
  idleMs: number;
}

/** Reads the form of one request; throws as soon as the form cannot be taken any more. */
export type FormReader<U extends UploadDeclaration> = <T>(
  receiver: FileReceiver<T>,
  limits: UploadLimits,
) => Promise<{ fields: z.output<U['fields']>; file: T }>;

/** Reads a form with one file: fields in any order, the file as it arrives, memory flat. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { parse as parseContentType } from 'content-type';
import type { z } from 'zod';
import type { UploadDeclaration } from '../../contract/endpoint.ts';
import type { FieldError } from '../../contract/errors.ts';
import { ApiError, fileTooLarge, invalid, parseOrThrow } from '../errors.ts';
import type { FileReceiver, UploadLimits } from '../uploads.ts';

/** Bounds of the form besides its file. */
const MAX_FIELDS = 16;
const MAX_FIELD_BYTES = 128 * 1024;
const MAX_PARTS = 20;
const OVERHEAD_BYTES = 512 * 1024;

export async function readUpload<U extends UploadDeclaration, T>(
  request: IncomingMessage,
  upload: U,
  receiver: FileReceiver<T>,
  limits: UploadLimits,
): Promise<{ fields: z.output<U['fields']>; file: T }> {
  const form = new FormReader(request, upload, receiver, limits);
  try {
    await form.read();
    return { fields: form.parseFields() as z.output<U['fields']>, file: await form.file() };
  } catch (error) {
    await form.undo(error);
    throw error;
  }
}

class FormReader<T> {
  readonly #request: IncomingMessage;
  readonly #upload: UploadDeclaration;
  readonly #receiver: FileReceiver<T>;
  readonly #parser: busboy.Busboy;
  readonly #idleMs: number;
  /** Without a prototype: `__proto__` is a field name like any other. */
  readonly #fields = Object.create(null) as Record<string, unknown>;
  readonly #errors: FieldError[] = [];
  readonly #stop = new AbortController();
  readonly #end = Promise.withResolvers<void>();
  #receiving: Promise<T> | undefined;
  #maxBytes: number;
  #arrivedBytes = 0;

  constructor(request: IncomingMessage, upload: UploadDeclaration, receiver: FileReceiver<T>, limits: UploadLimits) {
    this.#request = request;
    this.#upload = upload;
    this.#receiver = receiver;
    this.#idleMs = limits.idleMs;
    this.#maxBytes = limits.maxBytes;
    requireForm(request);
    this.#limitTo(limits.maxBytes);
    this.#parser = busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: { fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, parts: MAX_PARTS },
    });
  }

  /** Ends when the whole form has arrived, or throws as soon as it can't be taken any more. */
  async read(): Promise<void> {
    const request = this.#request;
    const fail = (error: unknown) => this.#end.reject(error);
    const breakOff = () => {
      // A request closes too once it was read to its end, which may be before the file has found its place.
      if (!request.complete) fail(new ApiError('malformed_request', 'The body did not arrive completely.'));
    };
    const idle = setTimeout(
      () => fail(new ApiError('request_timeout', `Nothing arrived for ${this.#idleMs / 1_000} seconds.`)),
      this.#idleMs,
    );
    const count = (chunk: Buffer) => {
      idle.refresh();
      this.#arrivedBytes += chunk.length;
      if (this.#arrivedBytes > this.#maxBytes + OVERHEAD_BYTES) fail(fileTooLarge(this.#upload.file, this.#maxBytes));
    };
    const tooMany = () => fail(invalid({ path: '', message: `has more than ${MAX_FIELDS} fields` }));
    this.#parser
      .on('field', (name, value, info) => this.#takeField(name, value, info.valueTruncated))
      .on('file', (name, stream, info) => this.#takeFile(name, stream, info.filename))
      .on('fieldsLimit', tooMany)
      .on('partsLimit', tooMany)
      .on('error', () => fail(new ApiError('malformed_request', 'The body is not complete multipart/form-data.')))
      .on('close', () => this.#end.resolve());
    request.on('data', count).on('error', breakOff).on('close', breakOff).pipe(this.#parser);
    try {
      await this.#end.promise;
    } finally {
      clearTimeout(idle);
      request.off('data', count).off('close', breakOff).unpipe(this.#parser);
    }
  }

  parseFields(): unknown {
    const { file, fields } = this.#upload;
    if (!this.#receiving) this.#errors.push({ path: file, message: 'is required' });
    let parsed: unknown;
    try {
      parsed = parseOrThrow(fields, this.#fields);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#errors.push(...(error.extras.errors ?? []));
    }
    if (this.#errors.length > 0) throw invalid(...this.#errors);
    return parsed;
  }

  file(): Promise<T> {
    return this.#receiving as Promise<T>;
  }

  /** Leaves nothing of what was received. */
  async undo(reason: unknown): Promise<void> {
    this.#stop.abort(reason);
    this.#parser.destroy();
    const received = await this.#receiving?.catch(() => undefined);
    if (received !== undefined) await this.#receiver.discard(received);
  }

  #takeField(name: string | undefined, value: string, isTruncated: boolean): void {
    const path = name ?? '';
    if (path === this.#upload.file) this.#errors.push({ path, message: 'must be a file: send it with a file name' });
    else if (path in this.#fields) this.#errors.push({ path, message: 'is sent more than once' });
    else if (isTruncated) this.#errors.push({ path, message: `is larger than ${MAX_FIELD_BYTES} bytes` });
    else if (value.includes('\uFFFD')) this.#errors.push({ path, message: 'is not valid UTF-8' });
    if (path !== this.#upload.file) this.#fields[path] = value;
  }

  #takeFile(name: string | undefined, stream: Readable, fileName = ''): void {
    const path = name ?? '';
    // A form that breaks off destroys the file with an error of its own; the parser's says the same.
    stream.on('error', () => undefined);
    if (path === this.#upload.file && !this.#receiving) {
      this.#receiving = this.#receiver.receive(stream, {
        name: fileName,
        fields: this.#fields,
        limitTo: (maxBytes) => this.#limitTo(maxBytes),
        signal: this.#stop.signal,
      });
      this.#receiving.catch((error: unknown) => this.#end.reject(error));
      return;
    }
    const isField = path in this.#upload.fields.shape;
    const isSecond = path === this.#upload.file;
    const message = isSecond ? 'is sent more than once' : isField ? 'must be text, not a file' : 'is not a known field';
    this.#errors.push({ path, message });
    stream.resume();
  }

  #limitTo(maxBytes: number): number {
    this.#maxBytes = Math.min(this.#maxBytes, maxBytes);
    const announced = Number(this.#request.headers['content-length'] ?? this.#maxBytes);
    if (announced > this.#maxBytes + OVERHEAD_BYTES) throw fileTooLarge(this.#upload.file, this.#maxBytes);
    return Math.min(announced, this.#maxBytes);
  }
}

/** RFC 2046, section 5.1.1. */
const BOUNDARY = /^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/;

function requireForm({ headers }: IncomingMessage): void {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new ApiError('unsupported_media_type', 'Send the form without Content-Encoding.');
  }
  let parsed: ReturnType<typeof parseContentType> | undefined;
  try {
    parsed = parseContentType(headers['content-type'] ?? '');
  } catch {
    parsed = undefined;
  }
  if (parsed?.type !== 'multipart/form-data') {
    throw new ApiError('unsupported_media_type', 'Send the body as multipart/form-data.');
  }
  if (!BOUNDARY.test(parsed.parameters['boundary'] ?? '')) {
    throw new ApiError('malformed_request', 'The Content-Type names no valid boundary.');
  }
}

/** Reads multipart forms with one file. Fields may come in any order; the file is passed on as it arrives. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { parse as parseContentType } from 'content-type';
import type { z } from 'zod';
import { errorAt } from '../../contract/errors/field-errors.ts';
import type { FieldFault } from '../../contract/errors/field-errors.ts';
import type { UploadDeclaration } from '../../contract/values/endpoint.ts';
import type { PropertyError } from '../../contract/errors/problem.ts';
import { ApiError, invalid, parseOrThrow, refusal, invalidAt } from '../errors.ts';
import { watchPartNames } from './part-name.ts';

export interface FileReceiver<T> {
  /**
   * Reads the file to its end. Called when the file starts, with the fields that precede it. An error ends the upload at
   * once; `signal` aborts if the upload ends for another reason.
   */
  receive(file: Readable, info: FileInfo): Promise<T>;
  /** Undoes `receive` if the rest of the form is invalid. */
  discard(received: T): Promise<void>;
}

interface FileInfo {
  /** The client's file name without folders. Not safe as a path. */
  name: string;
  /** Not validated yet. */
  fields: Readonly<Record<string, unknown>>;
  /** Lowers the size limit of the file. Returns the most bytes that the file can have. @param fault of a larger file. */
  limitTo(maxBytes: number, fault: FieldFault): number;
  signal: AbortSignal;
}

interface UploadLimits {
  maxBytes: number;
  /** What is wrong with a larger file. */
  fault: FieldFault;
  /** Milliseconds without data after which the upload fails. */
  idleMs: number;
}

/** Reads the form of one request. Throws as soon as the form is invalid. */
export type FormReader<U extends UploadDeclaration> = <T>(
  receiver: FileReceiver<T>,
  limits: UploadLimits,
) => Promise<{ fields: z.output<U['fields']>; file: T }>;

const MAX_FIELDS = 16;
const MAX_FIELD_BYTES = 128 * 1024;
const MAX_PARTS = 20;
/** Bytes of the form besides its file. */
const OVERHEAD_BYTES = 512 * 1024;

export async function readUpload<U extends UploadDeclaration, T>(
  request: IncomingMessage,
  upload: U,
  receiver: FileReceiver<T>,
  { maxBytes, fault, idleMs }: UploadLimits,
): Promise<{ fields: z.output<U['fields']>; file: T }> {
  requireForm(request.headers);
  const size = createSizeLimit(request, upload.file, { maxBytes, fault });
  const form = createForm<T>(upload);
  const stop = new AbortController();
  const limits = { fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, parts: MAX_PARTS };
  const parser = new Busboy({ headers: request.headers as BusboyHeaders, limits });
  const fileName = watchPartNames(parser);
  const { promise: end, resolve: finish, reject: fail } = Promise.withResolvers<void>();
  const timeout = () => fail(refusal('request_timeout:idle', { seconds: idleMs / 1_000 }));
  const idle = setTimeout(timeout, idleMs);
  const onData = (chunk: Buffer) => {
    idle.refresh();
    if (size.isExceededBy(chunk.length)) fail(size.error());
  };
  const onClose = () => {
    // `close` also follows a complete request, perhaps before the file is stored.
    if (!request.complete) fail(refusal('malformed_request:incomplete'));
  };
  const tooMany = () => fail(invalidAt('', 'too_many:fields', { max: MAX_FIELDS }));
  parser
    .on('field', (name, value, _isNameCut, isCut) => form.addField(name, value, isCut))
    .on('file', (name, stream) => {
      // A file that ends early is destroyed with an error, which the parser reports too.
      stream.on('error', () => undefined);
      if (form.refusesFile(name)) return void stream.resume();
      const { limitTo } = size;
      form.file = receiver.receive(stream, { name: fileName(), fields: form.fields, limitTo, signal: stop.signal });
      form.file.catch(fail);
    })
    .on('fieldsLimit', tooMany)
    .on('partsLimit', tooMany)
    .on('error', () => fail(refusal('malformed_request:form')))
    .on('finish', finish);
  try {
    request.on('data', onData).on('error', onClose).on('close', onClose).pipe(parser);
    await end;
    return { fields: form.parse() as z.output<U['fields']>, file: (await form.file) as T };
  } catch (error) {
    stop.abort(error);
    request.unpipe(parser);
    parser.destroy();
    const received = await form.file?.catch(() => undefined);
    if (received !== undefined) await receiver.discard(received);
    throw error;
  } finally {
    clearTimeout(idle);
    request.off('data', onData).off('close', onClose);
  }
}

/** Limits the bytes of a form. Throws at once if `Content-Length` exceeds the limit. */
function createSizeLimit(request: IncomingMessage, path: string, initial: Omit<UploadLimits, 'idleMs'>) {
  let { maxBytes, fault } = initial;
  let arrivedBytes = 0;
  function error(): ApiError {
    const said = errorAt(path, ...fault);
    return refusal('payload_too_large:file', { problem: said.message }, { errors: [said] });
  }
  function limitTo(bytes: number, reason: FieldFault): number {
    maxBytes = Math.min(maxBytes, bytes);
    fault = reason;
    const announced = Number(request.headers['content-length'] ?? maxBytes);
    if (announced > maxBytes + OVERHEAD_BYTES) throw error();
    return Math.min(announced, maxBytes);
  }
  limitTo(maxBytes, fault);
  return { limitTo, error, isExceededBy: (bytes: number) => (arrivedBytes += bytes) > maxBytes + OVERHEAD_BYTES };
}

/** Collects the parts of a form, and the errors of all of them. */
function createForm<T>(upload: UploadDeclaration) {
  const errors: PropertyError[] = [];
  // Without a prototype: `__proto__` is a field name like any other.
  const fields = Object.create(null) as Record<string, unknown>;
  // The parser passes undefined for a part without a name.
  const form = {
    fields,
    file: undefined as Promise<T> | undefined,
    addField(name: string | undefined, value: string, isCut: boolean): void {
      const path = name ?? '';
      if (path === upload.file) errors.push(errorAt(path, 'format', { format: 'a file with a file name' }));
      else if (path in fields) errors.push(errorAt(path, 'unique:part'));
      else if (isCut) errors.push(errorAt(path, 'too_large', { max: MAX_FIELD_BYTES }));
      else if (value.includes('\uFFFD')) errors.push(errorAt(path, 'characters:utf8'));
      if (path !== upload.file) fields[path] = value;
    },
    /** Returns whether the form has no such file, or has it already, and records the error. */
    refusesFile(name: string | undefined): boolean {
      const path = name ?? '';
      if (path === upload.file && !form.file) return false;
      const wrongPart = path in upload.fields.shape ? 'text' : 'unknown_field';
      errors.push(errorAt(path, path === upload.file ? 'unique:part' : wrongPart));
      return true;
    },
    /** Returns the validated fields, or throws one error that lists every invalid part. */
    parse(): unknown {
      if (!form.file) errors.push(errorAt(upload.file, 'required'));
      let parsed: unknown;
      try {
        parsed = parseOrThrow(upload.fields, fields);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        errors.push(...(error.extras.errors ?? []));
      }
      if (errors.length > 0) throw invalid(...errors);
      return parsed;
    },
  };
  return form;
}

/** RFC 2046, section 5.1.1. */
const BOUNDARY = /^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/;

function requireForm(headers: IncomingHttpHeaders): void {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw refusal('unsupported_media_type:compressed_form');
  }
  const { type, parameters } = parseContentType(headers['content-type'] ?? '');
  if (type !== 'multipart/form-data') throw refusal('unsupported_media_type:form');
  if (!BOUNDARY.test(parameters['boundary'] ?? '')) throw refusal('malformed_request:boundary');
}

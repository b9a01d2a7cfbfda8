import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import { Refusal } from './dialect.ts';

export interface Multipart {
  /** A field that came more than once: its values with commas between. */
  fields: Record<string, string>;
  file: { field: string; name: string; bytes: number } | null;
}

/** Reads a form with at most one file, which is counted and thrown away as it arrives. */
export function readMultipart(request: IncomingMessage): Promise<Multipart> {
  return new Promise((resolve, reject) => {
    const fields: Record<string, string> = {};
    let file: Multipart['file'] = null;
    const refuse = () => reject(new Refusal(400, 'the multipart body could not be read'));
    try {
      const parser = busboy({ headers: request.headers, defParamCharset: 'utf8' });
      parser.on('field', (name, value) => {
        fields[name] = name in fields ? `${fields[name]},${value}` : value;
      });
      parser.on('file', (field, stream, { filename }) => {
        const received = { field, name: filename ?? '', bytes: 0 };
        file = received;
        stream.on('data', (chunk: Buffer) => (received.bytes += chunk.length));
      });
      parser.on('close', () => resolve({ fields, file })).on('error', refuse);
      request.on('error', refuse).pipe(parser);
    } catch {
      refuse();
    }
  });
}

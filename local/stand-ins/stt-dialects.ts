/** Stand-ins for the speech-to-text providers. Most accept a multipart form with one file. */
import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { SttProviderName } from '../../contract/values/constants.ts';
import { STT_PROVIDERS } from '../../contract/values/providers.ts';
import { Refusal, type Dialect } from './dialect.ts';
import type { Directive } from './directives.ts';

/** Returns the dialects of all speech-to-text providers, each from the file with its name. */
export async function loadSttDialects(): Promise<Dialect[]> {
  const load = async (name: string) => {
    const { createDialects } = (await import(`./stt/${name}.ts`)) as { createDialects: () => readonly Dialect[] };
    return createDialects();
  };
  return (await Promise.all(STT_PROVIDERS.filter((name) => name !== 'local').map(load))).flat();
}

interface UploadDialect {
  provider: SttProviderName;
  path: RegExp;
  fileField: string;
  answer(fields: Record<string, string>, directive: Directive): unknown;
  error(status: number, message: string): unknown;
}

/** Returns a dialect whose requests are multipart forms with one file. */
export function uploadDialect({ fileField, answer, ...dialect }: UploadDialect): Dialect {
  return {
    ...dialect,
    method: 'POST',
    async read(request) {
      const { fields, file } = await readMultipart(request);
      if (file?.field !== fileField) throw new Refusal(400, `${fileField} is missing`);
      return { text: file.name, fields, fileBytes: file.bytes, answer: (directive) => answer(fields, directive) };
    },
  };
}

interface Multipart {
  /** Repeated fields are joined with commas. */
  fields: Record<string, string>;
  file: { field: string; name: string; bytes: number } | null;
}

/** Reads a form with at most one file. Counts the file's bytes and discards them. */
function readMultipart(request: IncomingMessage): Promise<Multipart> {
  return new Promise((resolve, reject) => {
    const fields: Record<string, string> = {};
    let file: Multipart['file'] = null;
    const refuse = () => reject(new Refusal(400, 'the multipart body could not be read'));
    try {
      const parser = new Busboy({ headers: request.headers as BusboyHeaders });
      parser.on('field', (name, value) => {
        fields[name] = name in fields ? `${fields[name]},${value}` : value;
      });
      parser.on('file', (field, stream, name) => {
        const received = { field, name, bytes: 0 };
        file = received;
        stream.on('data', (chunk: Buffer) => (received.bytes += chunk.length));
      });
      parser.on('finish', () => resolve({ fields, file })).on('error', refuse);
      request.on('error', refuse).pipe(parser);
    } catch {
      refuse();
    }
  });
}

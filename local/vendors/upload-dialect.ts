/** The requests of most speech-to-text vendors: a multipart form with one file. */
import type { SttProviderName } from '../../contract/constants.ts';
import { Refusal } from './dialect.ts';
import type { Dialect } from './dialect.ts';
import type { Directive } from './directive.ts';
import { readMultipart } from './multipart.ts';

export interface UploadDialect {
  vendor: SttProviderName;
  path: RegExp;
  fileField: string;
  /** Fields the vendor insists on, and the status of its complaint. */
  required: readonly string[];
  missing: number;
  answer(fields: Record<string, string>, directive: Directive): unknown;
  error(status: number, message: string): unknown;
}

/** Returns a dialect whose requests are multipart forms with one file. */
export function uploadDialect({ fileField, required, missing, answer, ...dialect }: UploadDialect): Dialect {
  return {
    ...dialect,
    method: 'POST',
    async read(request) {
      const { fields, file } = await readMultipart(request);
      if (file?.field !== fileField) throw new Refusal(missing, `${fileField} is missing`);
      const absent = required.find((name) => !fields[name]);
      if (absent !== undefined) throw new Refusal(missing, `${absent} is missing`);
      return {
        text: file.name,
        fields,
        fileBytes: file.bytes,
        answer: (directive) => answer(fields, directive),
      };
    },
  };
}

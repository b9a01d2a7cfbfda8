/** Builds multipart forms as bytes, including invalid ones that form libraries can't build. */

export interface Part {
  name: string;
  value: string | Uint8Array;
  /** If set, the part is a file. */
  filename?: string;
  type?: string;
}

export const BOUNDARY = 'boundary-of-the-tests';

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** @param isComplete false leaves out the closing boundary. */
export function form(parts: readonly Part[], { isComplete = true } = {}): Buffer<ArrayBuffer> {
  const chunks = parts.flatMap(({ name, value, filename, type }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`;
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n`;
    const typeLine = type === undefined ? '' : `Content-Type: ${type}\r\n`;
    return [Buffer.from(`${head}${typeLine}\r\n`), Buffer.from(value), Buffer.from('\r\n')];
  });
  return Buffer.concat([...chunks, Buffer.from(isComplete ? `--${BOUNDARY}--\r\n` : '')]);
}

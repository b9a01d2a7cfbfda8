/** Forms as bytes, so that a test may send what no form library would. */

export interface Part {
  name: string;
  value: string | Uint8Array;
  /** Makes it a file. */
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

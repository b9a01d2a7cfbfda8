/** Formats results as lines of a file. */
import type { Assistant, Session } from 'conversation-analysis-client';
import { fieldValueOf } from '../../contract/fields/field-value.ts';
import { BYTE_ORDER_MARK, toCsvCell, toCsvLine, toFieldHeader, type CsvCell } from '../../contract/values/csv-line.ts';

export interface FileResult {
  file: string;
  session: Session | undefined;
  /** Null if the file has a result. */
  error: string | null;
}

interface ResultFormat {
  header: string;
  line(result: FileResult): string;
}

export function createFormat(format: 'jsonl' | 'csv', assistant: Assistant): ResultFormat {
  return format === 'jsonl' ? JSON_LINES : csvOf(assistant.fields ?? []);
}

const JSON_LINES: ResultFormat = {
  header: '',
  line({ file, session, error }) {
    const { session_id, status, summary_text, raw_response, total_cost } = session ?? {};
    return `${JSON.stringify({ file, error, session_id, status, summary_text, raw_response, total_cost })}\n`;
  },
};

function csvOf(fields: NonNullable<Assistant['fields']>): ResultFormat {
  const headers = fields.map((field) => toFieldHeader('fields', field));
  const names = ['file', 'session_id', 'status', 'summary_text', ...headers];
  return {
    header: BYTE_ORDER_MARK + toCsvLine([...names, 'total_cost', 'error']),
    line({ file, session, error }) {
      const facts = [session?.session_id, session?.status, session?.summary_text].map((value) => value ?? null);
      const found = (session?.raw_response?.['fields'] ?? {}) as Record<string, CsvCell | string[]>;
      const values = fields.map(({ name }) => toCsvCell(fieldValueOf(found, name)));
      return toCsvLine([file, ...facts, ...values, session?.total_cost ?? null, error]);
    },
  };
}

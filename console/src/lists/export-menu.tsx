/** Links that download all sessions of a filter, in a panel. */
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonAnchor } from '../components/button.tsx';
import { Popover } from '../components/menu.tsx';
import { csvDelimiter } from '../format/numbers.ts';
import { zoneName } from '../format/times.ts';
import { printQuery } from '../search/parse.ts';
import { apiBase } from '../server/workspace.ts';
import { texts } from '../texts/index.ts';
import styles from '../components/menu.module.css';

const words = texts.lists.exports;

/** @param children further links of a page. */
export function ExportMenu({ query, children }: { query: Record<string, unknown>; children?: ReactNode }) {
  // Only the sessions of one assistant have the same columns.
  const hasAnswers = query['assistant_id'] !== undefined;
  const csv = {
    format: 'csv',
    timezone: zoneName(),
    delimiter: csvDelimiter(),
    include: hasAnswers ? 'fields' : undefined,
  };
  return (
    <Popover
      scope="sessions:export"
      panel={() => (
        <div className={styles['menu']}>
          <ExportLink query={{ ...query, ...csv }} title={hasAnswers ? words.answers : words.csv} />
          {!hasAnswers && <p className="note">{words.noAnswers}</p>}
          {children}
          <ExportLink query={{ ...query, format: 'jsonl', include: 'fields' }} title={words.jsonl} />
          <ExportLink query={{ ...query, format: 'zip', include: undefined }} title={words.zip} />
        </div>
      )}
    >
      <Download size={14} aria-hidden />
      {words.title}
    </Popover>
  );
}

interface ExportLinkProps {
  /** Default: sessions. */
  path?: string;
  query: Record<string, unknown>;
  title: string;
}

export const ExportLink = ({ path = 'sessions', query, title }: ExportLinkProps) => (
  <ButtonAnchor href={`${apiBase()}/v1/exports/${path}${printQuery(query)}`} download>
    {title}
  </ButtonAnchor>
);

import type { ReactNode } from 'react';
import type { Session } from '../../../../clients/typescript/src/index.ts';
import type { FieldResults, Quote } from '../../../../contract/result-fields.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Facts } from '../../components/facts.tsx';
import { JsonTree } from '../../components/json-tree.tsx';
import { texts } from '../../texts/index.ts';
import { FieldsTable } from './fields-table.tsx';
import styles from './result-tab.module.css';

const words = texts.session.result;

interface ResultTabProps {
  session: Session;
  /** Shows where these words were said; undefined where the conversation is not beside the result. */
  onShow?: ((quotes: readonly Quote[]) => void) | undefined;
}

/** What the model produced. Every member that is not known is shown all the same. */
export function ResultTab({ session: { raw_response, status, assistant }, onShow }: ResultTabProps) {
  const { result, fields } = partFields(raw_response, assistant.fields);
  if (result === null) return <EmptyState title={words.nothing} detail={words.nothingWhy[status]} />;
  const { summary_text, topics, sentiment, action_items, findings, ...rest } = result;
  return (
    <div className={styles['result']}>
      {fields && (
        <Part title={words.fields}>
          <FieldsTable {...fields} onShow={onShow} />
        </Part>
      )}
      {isText(summary_text) && <Part title={words.summary}>{<p className={styles['text']}>{summary_text}</p>}</Part>}
      {isText(sentiment) && <Part title={words.sentiment}>{sentiment}</Part>}
      {areTexts(topics) && (
        <Part title={words.topics}>
          <ul className={styles['chips']}>
            {topics.map((topic, index) => (
              <li key={index}>{topic}</li>
            ))}
          </ul>
        </Part>
      )}
      {areTexts(action_items) && (
        <Part title={words.actionItems}>
          <ul className={styles['list']}>
            {action_items.map((item, index) => (
              <li key={index}>{item}</li>
            ))}
          </ul>
        </Part>
      )}
      {findings !== undefined && <Findings findings={findings} />}
      {Object.keys(rest).length > 0 && (
        <Part title={words.more}>
          <JsonTree value={rest} />
        </Part>
      )}
    </div>
  );
}

/** Returns the fields apart from what else the model gave. An assistant without fields may have a `fields` of its own there. */
function partFields(raw: Session['raw_response'], declared: Session['assistant']['fields']) {
  if (raw === null || !declared) return { result: raw };
  const { fields, evidence, problems, ...result } = raw;
  return { result, fields: { fields: declared, results: { fields, evidence, problems } as FieldResults } };
}

/** Findings are pairs of name and value where the model kept to the form, and anything at all where it did not. */
function Findings({ findings }: { findings: unknown }) {
  if (Array.isArray(findings) && findings.length === 0) return null;
  const pairs = toPairs(findings);
  return <Part title={words.findings}>{pairs ? <Facts facts={pairs} /> : <JsonTree value={findings} />}</Part>;
}

function toPairs(findings: unknown): [string, string][] | undefined {
  if (!Array.isArray(findings)) return undefined;
  const pairs = findings.map((each: unknown) => {
    const [name, value] = Object.values((each ?? {}) as Record<string, unknown>);
    return isText(name) && isText(value) ? ([name, value] as [string, string]) : undefined;
  });
  const names = new Set(pairs.map((pair) => pair?.[0]));
  const areClear = names.size === pairs.length && !names.has(undefined);
  return areClear ? (pairs as [string, string][]) : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles['part']}>
    <h3>{title}</h3>
    {children}
  </section>
);

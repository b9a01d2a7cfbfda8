import type { ReactNode } from 'react';
import type { Session } from 'conversation-analysis-client';
import type { FieldResults } from '../../../../contract/values/result-fields.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Facts } from '../../components/facts.tsx';
import { JsonTree } from '../../components/json-tree.tsx';
import { useFieldTitles } from '../../fields/field-title.tsx';
import type { TitleOf } from '../../fields/field-title.tsx';
import { texts } from '../../texts/index.ts';
import { FieldsTable } from './fields-table.tsx';
import type { Reviewing } from './fields-table.tsx';
import type { ShowQuotes } from './turns.ts';
import styles from './tabs.module.css';

const words = texts.session.result;

interface ResultTabProps {
  session: Session;
  /** Set on the session page, which shows the summary above the tabs. */
  onShow?: ShowQuotes;
  reviewing?: Reviewing | undefined;
}

/** The result of the model. Unknown properties are shown as a tree. */
export function ResultTab({ session: { raw_response, status, assistant }, onShow, reviewing }: ResultTabProps) {
  const titleOf = useFieldTitles(assistant.id, assistant.fields);
  const { result, fields } = splitFields(raw_response, assistant.fields, titleOf);
  if (result === null) return <EmptyState title={words.nothing} detail={words.nothingWhy[status]} />;
  const { summary_text, topics, sentiment, action_items, findings, ...rest } = result;
  return (
    <div className={`stack ${styles['result']}`}>
      {fields && (
        <Part title={texts.versions.settings.fields}>
          <FieldsTable {...fields} onShow={onShow} reviewing={reviewing} />
        </Part>
      )}
      {!onShow && isText(summary_text) && (
        <Part title={words.summary}>
          <p className={styles['text']} dir="auto">
            {summary_text}
          </p>
        </Part>
      )}
      {isText(sentiment) && <Part title={words.sentiment}>{words.sentiments[sentiment] ?? sentiment}</Part>}
      {areTexts(topics) && <List title={words.topics} items={topics} look="chips" />}
      {areTexts(action_items) && <List title={words.actionItems} items={action_items} look="list" />}
      {findings !== undefined && <Findings findings={findings} />}
      {Object.keys(rest).length > 0 && (
        <Part title={words.more}>
          <JsonTree value={rest} />
        </Part>
      )}
    </div>
  );
}

/** Separates the fields from the rest of the result. If the assistant has none, `fields` is an ordinary property. */
function splitFields(raw: Session['raw_response'], declared: Session['assistant']['fields'], titleOf: TitleOf) {
  if (raw === null || !declared) return { result: raw };
  const { fields, evidence, problems, ...result } = raw;
  const titled = declared.map((field) => ({ ...field, title: titleOf(field.name) }));
  return { result, fields: { fields: titled, results: { fields, evidence, problems } as FieldResults } };
}

/** Shows the findings: pairs of a name and a value, or any JSON if the model ignored the format. */
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
  return names.size === pairs.length && !names.has(undefined) ? (pairs as [string, string][]) : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={`stack ${styles['part']}`}>
    <h3>{title}</h3>
    {children}
  </section>
);

const List = ({ title, items, look }: { title: string; items: readonly string[]; look: 'chips' | 'list' }) => (
  <Part title={title}>
    <ul className={styles[look]}>
      {items.map((text, index) => (
        <li key={index} dir="auto">
          {text}
        </li>
      ))}
    </ul>
  </Part>
);

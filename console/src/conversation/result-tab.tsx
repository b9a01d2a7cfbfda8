import type { ReactNode } from 'react';
import type { Session } from 'conversation-analysis-client';
import type { FieldEvidence, FieldResults } from '../../../contract/fields/result-fields.ts';
import { CodeBlock } from '../components/code-block.tsx';
import { Facts } from '../components/facts.tsx';
import { useFieldTitles, type TitleOf } from '../fields/field-title.tsx';
import { texts } from '../texts/index.ts';
import type { FieldAnswerProps } from './field-answer.tsx';
import { FieldsTable } from './fields-table.tsx';
import { namesOf } from './speakers.tsx';
import type { ShowQuotes } from './turns.ts';
import styles from './tabs.module.css';

const words = texts.session.result;

const NO_FIELDS = { fields: [], results: { fields: {}, evidence: {} } };

interface ResultTabProps {
  session: Session;
  /** Undefined if the page shows no transcript. */
  onShow: ShowQuotes | undefined;
  reviewing: FieldAnswerProps['reviewing'];
}

/** The result of the model. The page shows the summary above the tabs. */
export function ResultTab({ session, onShow, reviewing }: ResultTabProps) {
  const { assistant } = session;
  const titleOf = useFieldTitles(assistant.id, assistant.fields);
  const { result, fields } = splitFields(session, titleOf);
  const parts = partsOf({ ...result, summary_text: undefined });
  return <FieldsTable {...(fields ?? NO_FIELDS)} {...{ onShow, reviewing, parts }} />;
}

/** Returns the parts of a result that are not fields. Unknown properties are one part, as JSON. */
export function partsOf({ summary_text, topics, sentiment, action_items, findings, ...rest }: Record<string, unknown>) {
  const { sentiments, actionItems, more } = words;
  const parts: [title: string, value: unknown, content: ReactNode][] = [
    [texts.share.parts.summary, summary_text, isText(summary_text) && summary_text],
    [words.sentiment, sentiment, isText(sentiment) && (sentiments[sentiment] ?? sentiment)],
    [words.topics, topics, areTexts(topics) && <List items={topics} look="chips" />],
    [actionItems, action_items, areTexts(action_items) && <List items={action_items} look="list" />],
    [words.findings, findings, isGiven(findings) && <Findings findings={findings} />],
    [more, rest, isGiven(rest) && <Json value={rest} label={more} />],
  ];
  return parts.flatMap(([title, value, content]) => (content === false ? [] : [{ title, value, content }]));
}

/** Returns whether a part of a result has any content. */
const isGiven = (value: unknown) =>
  value !== undefined && (typeof value !== 'object' || value === null || Object.keys(value).length > 0);

/** Separates the fields from the rest of the result. If the assistant has none, `fields` is an ordinary property. */
export function splitFields(session: Session, titleOf: TitleOf) {
  const { raw_response: raw, assistant } = session;
  const { fields: declared } = assistant;
  if (raw === null || !declared) return { result: raw };
  const { fields: _fields, evidence: _evidence, problems: _problems, scores: _scores, ...result } = raw;
  const titled = declared.map((field) => ({ ...field, title: titleOf(field.name) }));
  return { result, fields: { fields: titled, results: fieldResultsOf(session) } };
}

/** Returns the values of the fields. Their quotes name the speakers as the transcript does. */
function fieldResultsOf({ raw_response, roles }: Pick<Session, 'raw_response' | 'roles'>): FieldResults {
  const { fields = {}, evidence = {}, problems = {}, scores = {} } = (raw_response ?? {}) as Partial<FieldResults>;
  const names = namesOf(roles);
  const named = Object.entries<Partial<FieldEvidence>>(evidence).map(([field, support]) => {
    const quotes = (support.quotes ?? []).map((quote) => ({
      ...quote,
      role: names.get(quote.role ?? '') ?? quote.role,
    }));
    return [field, { ...support, quotes }];
  });
  return { fields, evidence: Object.fromEntries(named) as FieldResults['evidence'], problems, scores };
}

/** Shows the findings: pairs of a name and a value, or any JSON if the model ignored the format. */
function Findings({ findings }: { findings: unknown }) {
  const pairs = toPairs(findings);
  return pairs ? <Facts facts={pairs} /> : <Json value={findings} label={words.findings} />;
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

const Json = ({ value, label }: { value: unknown; label: string }) => (
  <CodeBlock text={JSON.stringify(value, null, 2)} label={label} />
);

const List = ({ items, look }: { items: readonly string[]; look: 'chips' | 'list' }) => (
  <ul className={styles[look]}>
    {items.map((text, index) => (
      <li key={index} dir="auto">
        {text}
      </li>
    ))}
  </ul>
);

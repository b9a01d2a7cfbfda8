/** The results of an assistant: how often its fields have each value, and the sessions. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ChartColumn, Download, ListFilter } from 'lucide-react';
import {
  getAssistantAccuracyOptions,
  getAssistantOptions,
  getAssistantResultsOptions,
} from 'conversation-analysis-client/react-query';
import type { AccuracyReport, Assistant, ResultsReport } from 'conversation-analysis-client';
import { Button, ButtonAnchor, ButtonLink } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Choice, optionsOf } from '../../components/choice.tsx';
import { both, Loaded } from '../../components/loaded.tsx';
import { Remarks } from '../../components/values.tsx';
import { ConditionChips } from '../../fields/condition-chips.tsx';
import { AssistantFrame } from '../../lists/assistant-frame.tsx';
import { isMetadata, keyOf, metadataGroups } from '../../search/groups.ts';
import { printQuery } from '../../search/parse.ts';
import { PERIODS, usePeriod, type Period } from '../../search/period.ts';
import { apiBase } from '../../server/workspace.ts';
import { isNotFound } from '../../server/problem.ts';
import { NotFound } from '../../shell/fallbacks.tsx';
import { texts } from '../../texts/index.ts';
import { AccuracyPanel } from './accuracy-panel.tsx';
import { FieldPanel } from './field-panel.tsx';
import { SmallGroups } from './group-table.tsx';
import { sessionsOf } from './sessions-of.ts';
import styles from './results.module.css';

const route = getRouteApi('/inside/assistants/$assistantId/results');
const words = texts.results;

export function ResultsPage() {
  const { assistantId: id } = route.useParams();
  const { range = '30d', by, version, field } = route.useSearch();
  const navigate = route.useNavigate();
  const period = usePeriod(range);
  const path = { id };
  const sessions = { ...period, ...(version !== undefined && { version }), ...(isMetadata(by) && { group_by: by }) };
  const query = { ...sessions, ...(field && { field }) };
  const assistant = useQuery(getAssistantOptions({ path }));
  const results = useQuery(getAssistantResultsOptions({ path, query }));
  const accuracy = useQuery(getAssistantAccuracyOptions({ path, query: sessions }));
  if (isNotFound(assistant.error)) return <NotFound list="assistants" />;
  return (
    <AssistantFrame id={id} tab="results">
      <div className="row">
        {/* The keys arrive later. */}
        <span className={styles['by']}>
          <Choice
            label={words.by}
            options={[
              { value: '', label: texts.versions.version },
              ...metadataGroups(results.data?.metadata_keys ?? [], by).map((value) => ({
                value,
                label: keyOf(value),
              })),
            ]}
            value={isMetadata(by) ? by : ''}
            onChoose={(chosen) =>
              void navigate({ search: (search) => ({ ...search, by: chosen || undefined }), replace: true })
            }
          />
        </span>
        <Choice
          label={texts.lists.range}
          options={optionsOf(PERIODS, texts.usage.ranges)}
          value={range}
          onChoose={(chosen) => void navigate({ search: (search) => ({ ...search, range: chosen }), replace: true })}
        />
        <ButtonAnchor
          href={`${apiBase()}/v1/exports/assistants/${id}/results${printQuery(sessions)}`}
          title={words.exportWhat}
          download
        >
          <Download size={14} aria-hidden />
          CSV
        </ButtonAnchor>
      </div>
      <ConditionChips
        assistantId={id}
        conditions={field}
        version={version}
        onChange={(changed) => void navigate({ search: (search) => ({ ...search, field: changed }) })}
        onVersion={() => void navigate({ search: (search) => ({ ...search, version: undefined }) })}
      />
      <Loaded query={both(results, accuracy)} lines={8}>
        {([report, reviewed]) => (
          <Report report={report} accuracy={reviewed} period={period} assistant={assistant.data} />
        )}
      </Loaded>
    </AssistantFrame>
  );
}

interface ReportProps {
  report: ResultsReport;
  accuracy: AccuracyReport;
  period: Period;
  assistant: Assistant | undefined;
}

function Report({ report, accuracy, period, assistant }: ReportProps) {
  const { assistantId } = route.useParams();
  const { field, version } = route.useSearch();
  const navigate = route.useNavigate();
  if (report.fields.length === 0) {
    const edit = (
      <ButtonLink to="/assistants/$assistantId" params={{ assistantId }}>
        {words.toAssistant}
      </ButtonLink>
    );
    return <EmptyState icon={ChartColumn} title={words.noFields} detail={words.noFieldsWhy} actions={edit} />;
  }
  if (report.sessions === 0) {
    const isFiltered = field !== undefined || version !== undefined;
    const clear = (
      <Button onClick={() => void navigate({ search: ({ range }) => ({ range }) })}>{texts.labels.clearFilters}</Button>
    );
    return isFiltered ? (
      <EmptyState icon={ListFilter} title={texts.lists.noMatch} detail={words.noMatchWhy} actions={clear} />
    ) : (
      <EmptyState icon={ChartColumn} title={words.none} detail={words.noneWhy} />
    );
  }
  return (
    <>
      <Remarks>
        <Link to="/sessions" search={sessionsOf({ assistantId, version, field, period })}>
          {words.show(report.sessions)}
        </Link>
      </Remarks>
      {report.fields[0] && <SmallGroups counts={report.fields[0]} />}
      {/* Conditions on results would distort the sample. */}
      {field === undefined && <AccuracyPanel report={accuracy} completed={report.sessions} />}
      {report.fields.map((counts) => (
        <FieldPanel
          key={counts.name}
          counts={counts}
          reviewed={field === undefined ? accuracy.fields.find(({ name }) => name === counts.name) : undefined}
          question={
            assistant && (assistant.fields?.find(({ name }) => name === counts.name)?.description ?? words.removed)
          }
          period={period}
        />
      ))}
    </>
  );
}

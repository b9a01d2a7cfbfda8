/** The results of an assistant: how often its questions have each answer, in all and by agent or version. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ChartColumn, ListFilter } from 'lucide-react';
import {
  getAssistantAccuracyOptions,
  getAssistantOptions,
  getAssistantResultsOptions,
} from 'conversation-analysis-client/react-query';
import type { AccuracyReport, Assistant, ResultsReport } from 'conversation-analysis-client';
import { Button, ButtonLink } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Choice, optionsOf } from '../../components/choice.tsx';
import { both, Loaded } from '../../components/loaded.tsx';
import { VALUE_SOURCES } from '../../../../contract/values/session-lists.ts';
import { AssistantFrame } from '../../lists/assistant-frame.tsx';
import { AGENT, useDataKeys } from '../../lists/data-keys.ts';
import { ExportLink, ExportMenu } from '../../lists/export-menu.tsx';
import { FilterChips } from '../../lists/filter-bar.tsx';
import { toSessionsQuery } from '../../lists/search.ts';
import { groupOfKey, isMetadata, keyOf } from '../../search/groups.ts';
import { PERIODS, type Period } from '../../search/named-period.ts';
import { usePeriod } from '../../search/period.ts';
import { csvDelimiter } from '../../format/numbers.ts';
import { isNotFound } from '../../server/problem.ts';
import { NotFound } from '../../shell/not-found.tsx';
import list from '../../lists/list.module.css';
import { texts } from '../../texts/index.ts';
import { FieldPanel } from './field-panel.tsx';
import { GroupPanel } from './group-panel.tsx';
import { isChosen, sessionsOf } from './sessions-of.ts';
import styles from './results.module.css';

const route = getRouteApi('/inside/assistants/$assistantId/results');
const words = texts.results;

export function ResultsPage() {
  const { assistantId: id } = route.useParams();
  const { range = '30d', by, version, field, values } = route.useSearch();
  const navigate = route.useNavigate();
  const period = usePeriod(range);
  const { keys, isPending } = useDataKeys();
  // By agent unless the URL says otherwise, and by version if the data names no agent.
  const isKnown = !isMetadata(by) || keys.includes(keyOf(by));
  const group = (isKnown ? by : undefined) ?? (keys.includes(AGENT) ? groupOfKey(AGENT) : undefined);
  const path = { id };
  const counted = {
    ...period,
    ...(version !== undefined && { version }),
    ...(isMetadata(group) && { group_by: group }),
  };
  const assistant = useQuery(getAssistantOptions({ path }));
  const results = useQuery({
    ...getAssistantResultsOptions({ path, query: { ...counted, ...(field && { field }), ...(values && { values }) } }),
    enabled: !isPending,
  });
  const accuracy = useQuery({ ...getAssistantAccuracyOptions({ path, query: counted }), enabled: !isPending });
  if (isNotFound(assistant.error)) return <NotFound list="assistants" />;
  const shown = sessionsOf({ assistantId: id, version, field, period, values });
  return (
    <AssistantFrame id={id} tab="results">
      <div className="row">
        <Choice
          label={texts.lists.range}
          options={optionsOf(PERIODS, texts.lists.ranges)}
          value={range}
          onChoose={(chosen) => void navigate({ search: (search) => ({ ...search, range: chosen }), replace: true })}
        />
        <Choice
          label={texts.share.parts.fields}
          options={optionsOf(VALUE_SOURCES, texts.reviews.values)}
          value={values ?? 'model'}
          onChoose={(chosen) =>
            void navigate({
              search: (search) => ({ ...search, values: chosen === 'model' ? undefined : chosen }),
              replace: true,
            })
          }
        />
        <FilterChips
          search={shown}
          names={['assistant_version', 'field']}
          onChange={(name, value) =>
            void navigate({
              search: (search) => ({ ...search, [name === 'field' ? 'field' : 'version']: value }),
            })
          }
        />
        {results.data && results.data.sessions > 0 && (
          <Link to="/sessions" search={shown} className="note">
            {words.show(results.data.sessions)}
          </Link>
        )}
        <span className={list['tools']}>
          <ExportMenu query={toSessionsQuery(shown)}>
            <ExportLink
              path={`assistants/${id}/results`}
              query={{ ...counted, values, delimiter: csvDelimiter() }}
              title={words.exportCounts}
            />
          </ExportMenu>
        </span>
      </div>
      <Loaded query={both(results, accuracy)} lines={8}>
        {([report, reviewed]) => (
          <Report report={report} accuracy={reviewed} period={period} assistant={assistant.data} group={group} />
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
  /** The key of the metadata; otherwise by version. */
  group: string | undefined;
}

function Report({ report, accuracy, period, assistant, group }: ReportProps) {
  const { assistantId } = route.useParams();
  const { field, version } = route.useSearch();
  const navigate = route.useNavigate();
  if (report.fields.length === 0) {
    const edit = (
      <ButtonLink to="/assistants/$assistantId" params={{ assistantId }}>
        {texts.shell.settings}
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
      <EmptyState icon={ListFilter} title={texts.lists.noMatch} actions={clear} />
    ) : (
      <EmptyState icon={ChartColumn} title={words.none} detail={words.noneWhy} />
    );
  }
  const asked = report.fields.filter(({ name }) => !isChosen(name, field));
  return (
    <>
      <div className={styles['panels']}>
        {asked.map((counts) => (
          <FieldPanel
            key={counts.name}
            counts={counts}
            // Conditions on results would distort the sample.
            reviewed={field === undefined ? accuracy.fields.find(({ name }) => name === counts.name) : undefined}
            question={
              assistant && (assistant.fields?.find(({ name }) => name === counts.name)?.description ?? words.removed)
            }
            period={period}
          />
        ))}
      </div>
      <GroupPanel report={report} accuracy={field === undefined ? accuracy : undefined} group={group} period={period} />
    </>
  );
}

/** An ended experiment: whether its settings are better than before, what differs, and the answers that changed. */
import { useQuery } from '@tanstack/react-query';
import {
  compareBatchOptions,
  getAssistantOptions,
  getBatchAccuracyOptions,
} from 'conversation-analysis-client/react-query';
import type { ComponentProps } from 'react';
import type { Batch, BatchAccuracy, BatchFilter, BatchTotals } from 'conversation-analysis-client';
import { ButtonLink } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/page.tsx';
import { Duration, Money, Remarks } from '../../components/values.tsx';
import { useFieldTitles } from '../../fields/field-title.tsx';
import { texts } from '../../texts/index.ts';
import { ShareButton } from '../../lists/share-button.tsx';
import { columnsOf, comparable, sortVerdicts, VerdictList } from '../../lists/verdicts.tsx';
import { useReviewSample } from '../../lists/review-sample.ts';
import { BatchChanges } from './batch-changes.tsx';
import { Differences } from './differences.tsx';
import { TakeAlong } from './take-along.tsx';
import { UseSettings } from './use-settings.tsx';
import styles from './batch.module.css';

const words = texts.experiment;

interface ExperimentProps {
  batch: Batch;
  head: ComponentProps<typeof PageHeader>;
}

export function Experiment({ batch, head }: ExperimentProps) {
  const { batch_id: id, filter, overrides } = batch;
  const { assistant_id = '' } = filter as BatchFilter;
  const path = { id };
  const report = useQuery(getBatchAccuracyOptions({ path }));
  const totals = useQuery(compareBatchOptions({ path, query: { limit: 1 } }));
  const assistant = useQuery(getAssistantOptions({ path: { id: assistant_id } }));
  const titleOf = useFieldTitles(assistant_id, overrides?.fields);
  const fields = report.data?.fields ?? [];
  const worse = fields.flatMap(({ name, verdict }) => (verdict === 'worse' ? titleOf(name) : []));
  const isBetter = worse.length === 0 && fields.some(({ verdict }) => verdict === 'better');
  // Nothing moves, because all panels are shown at once.
  const isReady = !assistant.isPending && !totals.isPending;
  return (
    <>
      <PageHeader
        {...head}
        actions={
          report.data && (
            <>
              <ShareButton shared={{ batch_id: id }} />
              <UseSettings batch={batch} worse={worse} isBetter={isBetter} />
            </>
          )
        }
        more={
          <>
            {report.data && (
              <TakeAlong
                id={id}
                name={head.title}
                report={report.data}
                titleOf={titleOf}
                basis={basisOf(report.data)}
              />
            )}
            <ButtonLink to="/sessions" search={{ batch_id: id }}>
              {texts.common.showSessions}
            </ButtonLink>
          </>
        }
      />
      <Loaded query={{ ...report, data: isReady ? report.data : undefined }}>
        {(data) => (
          <>
            <Verdict batch={batch} report={data} totals={totals.data?.totals} />
            <Differences batch={batch} />
            <div className={`stack ${styles['lower']}`}>
              <BatchChanges batch={batch} />
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}

interface VerdictProps {
  batch: Batch;
  report: BatchAccuracy;
  totals: BatchTotals | null | undefined;
}

/** The verdict in words, the numbers behind it, and what the settings cost. */
function Verdict({ batch, report, totals }: VerdictProps) {
  const { sessions, others, fallback, former_fallback, fields, chosen_by } = report;
  const titleOf = useFieldTitles((batch.filter as BatchFilter).assistant_id, batch.overrides?.fields);
  if (sessions + others + fallback + former_fallback === 0) return <NoReviews batch={batch} />;
  const rows = comparable(sortVerdicts(fields));
  return (
    <Panel isFlush>
      <div className={`stack ${styles['verdict']}`}>
        {chosen_by.length > 0 ? <p>{words.chosen}</p> : <VerdictList fields={fields} titleOf={titleOf} />}
        <p className="note">{basisOf(report)}</p>
      </div>
      {rows.length > 0 && (
        <DataTable
          caption={words.table}
          columns={columnsOf(batch.batch_id, titleOf)}
          rows={rows}
          rowKey={({ name }) => name}
        />
      )}
      {totals && totals.sessions > 0 && <Effort totals={totals} />}
    </Panel>
  );
}

/** What the analysis of a conversation costs and takes, before and after. */
const Effort = ({ totals: { before, after, sessions } }: { totals: BatchTotals }) => (
  <div className={styles['effort']}>
    <Remarks>
      <span>
        {words.costEach}: <Money usd={before.cost_usd / sessions} /> → <Money usd={after.cost_usd / sessions} />
      </span>
      <span>
        {texts.batches.modelTime}: <Duration ms={(before.duration_s / sessions) * 1_000} /> →{' '}
        <Duration ms={(after.duration_s / sessions) * 1_000} />
      </span>
    </Remarks>
  </div>
);

function NoReviews({ batch }: { batch: Batch }) {
  const sample = useReviewSample(String(batch.filter['assistant_id']));
  return (
    <Panel title={words.none}>
      <div className="row apart">
        <p>{words.noneDetail}</p>
        <ButtonLink scope="reviews:write" to="/review" search={sample}>
          {texts.shell.review}
        </ButtonLink>
      </div>
    </Panel>
  );
}

/** Returns what the verdicts are based on. */
function basisOf(report: BatchAccuracy): string {
  const { sessions, others, failed, fallback, former_fallback, is_sample, tests, fields } = report;
  const leftOut = Math.max(...fields.map((field) => (field.question_changed ? 0 : field.left_out)), 0);
  const left = [
    failed > 0 && words.failed(failed),
    fallback > 0 && words.fallback(fallback),
    former_fallback > 0 && words.formerFallback(former_fallback),
    leftOut > 0 && words.leftOut(leftOut),
    others > 0 && words.outside(others),
  ].filter(Boolean);
  return [
    words.compared(sessions),
    left.length > 0 && words.notCompared(left.join(', ')),
    is_sample && words.part,
    tests > 1 && words.tests(tests),
  ]
    .filter(Boolean)
    .join(' ');
}

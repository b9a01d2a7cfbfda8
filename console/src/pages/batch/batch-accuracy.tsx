/** Whether the settings of a reanalysis are better than before, from the reviews of its sessions: first in words. */
import { useQuery } from '@tanstack/react-query';
import { getAssistantOptions, getBatchAccuracyOptions } from 'conversation-analysis-client/react-query';
import type { ReactNode } from 'react';
import type { Batch, BatchAccuracy as Report, BatchFilter } from 'conversation-analysis-client';
import { ButtonLink } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { useFieldTitles } from '../../fields/field-title.tsx';
import { texts } from '../../texts/index.ts';
import { useBatchTitle } from '../../lists/batch-filter.ts';
import { columnsOf, comparable, sortVerdicts, VerdictList } from '../../lists/verdicts.tsx';
import { useReviewSample } from '../../lists/review-sample.ts';
import { TakeAlong } from './take-along.tsx';
import { UseSettings } from './use-settings.tsx';

const words = texts.experiment;
const { reviewMore } = texts.accuracy;

interface BatchAccuracyProps {
  batch: Batch;
  /** What follows. Nothing moves, because it is shown with the verdict. */
  children: ReactNode;
}

/** Shows no verdict for a running batch. */
export function BatchAccuracy({ batch, children }: BatchAccuracyProps) {
  const isEnded = batch.ended_at !== null;
  const report = useQuery({ ...getBatchAccuracyOptions({ path: { id: batch.batch_id } }), enabled: isEnded });
  const assistant = useQuery(getAssistantOptions({ path: { id: String(batch.filter['assistant_id']) } }));
  const ready = { ...report, data: assistant.isPending ? undefined : report.data };
  if (isEnded)
    return (
      <Loaded query={ready}>
        {(data) => (
          <>
            <Comparison batch={batch} report={data} />
            {children}
          </>
        )}
      </Loaded>
    );
  return (
    <>
      {batch.filter['review'] !== undefined && <p className="note">{words.running}</p>}
      {children}
    </>
  );
}

function Comparison({ batch, report }: { batch: Batch; report: Report }) {
  const { sessions, others, fallback, former_fallback, fields, chosen_by } = report;
  const name = useBatchTitle()(batch);
  const basis = basisOf(report);
  const rows = comparable(sortVerdicts(fields));
  const titleOf = useFieldTitles((batch.filter as BatchFilter).assistant_id, batch.overrides?.fields);
  const worse = fields.flatMap(({ name, verdict }) => (verdict === 'worse' ? titleOf(name) : []));
  const isBetter = worse.length === 0 && fields.some(({ verdict }) => verdict === 'better');
  const use = <UseSettings batch={batch} worse={worse} isBetter={isBetter} />;
  if (sessions + others + fallback + former_fallback === 0) return <NoReviews batch={batch} use={use} />;
  return (
    <>
      <Panel
        title={words.title}
        actions={
          <div className="row">
            <TakeAlong id={batch.batch_id} name={name} {...{ report, titleOf, basis }} />
            {use}
          </div>
        }
      >
        <div className="stack">
          {chosen_by.length > 0 ? <p>{words.chosen}</p> : <VerdictList fields={fields} titleOf={titleOf} />}
          <p className="note">{basis}</p>
        </div>
      </Panel>
      {rows.length > 0 && (
        <Panel title={words.table} isFlush>
          <DataTable
            caption={words.table}
            columns={columnsOf(batch.batch_id, titleOf)}
            rows={rows}
            rowKey={({ name }) => name}
          />
        </Panel>
      )}
    </>
  );
}

function NoReviews({ batch, use }: { batch: Batch; use: ReactNode }) {
  const sample = useReviewSample(String(batch.filter['assistant_id']));
  return (
    <Panel title={words.none} actions={use}>
      <div className="row apart">
        <p>{words.noneDetail}</p>
        <ButtonLink scope="reviews:write" to="/review" search={sample}>
          {reviewMore}
        </ButtonLink>
      </div>
    </Panel>
  );
}

/** Returns what the verdicts are based on. */
function basisOf(report: Report): string {
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

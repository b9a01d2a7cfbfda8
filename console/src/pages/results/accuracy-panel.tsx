/** How often the values of each field are right, from reviews of a random sample. */
import { getRouteApi, Link } from '@tanstack/react-router';
import type { AccuracyReport, FieldAccuracy, Share } from 'conversation-analysis-client';
import { ButtonLink } from '../../components/button.tsx';
import { Panel } from '../../components/page.tsx';
import { Remarks } from '../../components/values.tsx';
import { Whisker } from '../../components/whisker.tsx';
import { conditionOn, formatValue } from '../../fields/conditions.ts';
import type { FieldOperator } from '../../../../contract/fields/conditions.ts';
import { FieldTitle, useFieldTitles } from '../../fields/field-title.tsx';
import { formatRange, formatShare } from '../../format/shares.ts';
import { momentsOf } from '../../search/period.ts';
import { texts } from '../../texts/index.ts';
import { TestOther } from '../../lists/test-other.tsx';
import { useReviewSample } from '../../lists/review-sample.ts';
import styles from './accuracy-panel.module.css';

const route = getRouteApi('/inside/assistants/$assistantId/results');
const words = texts.accuracy;
const { notSaid } = texts.reviews;

/** Enough reviews for second opinions on one in ten. */
const MANY = 10;

/** Enough reviews to tell good values from bad ones. */
const ENOUGH = 30;

/** @param completed number of sessions that can be reviewed. */
export function AccuracyPanel({ report, completed }: { report: AccuracyReport; completed: number }) {
  const { assistantId } = route.useParams();
  const sample = useReviewSample(assistantId);
  const titleOf = useFieldTitles(assistantId);
  const { sampled, others, fallback, second_opinions, disputed, fields } = report;
  const toReview = (label: string, look: 'primary' | 'plain') => (
    <ButtonLink look={look} scope="reviews:write" to="/review" search={sample}>
      {label}
    </ButtonLink>
  );
  return (
    <Panel
      title={sampled === 0 ? words.invite : words.title}
      actions={
        sampled === 0 ? (
          toReview(completed < ENOUGH ? words.reviewMore : words.review, 'primary')
        ) : (
          <div className="row">
            <TestOther assistantId={assistantId} />
            {toReview(words.reviewMore, 'plain')}
          </div>
        )
      }
    >
      <div className="stack">
        <p className="note">{sampled === 0 ? words.inviteDetail : words.detail(sampled)}</p>
        {sampled > 0 && (
          <ul className={styles['fields']} aria-label={words.title}>
            {fields.map((field) => (
              <FieldRow key={field.name} title={titleOf(field.name)} field={field} report={report} />
            ))}
          </ul>
        )}
        {sampled >= MANY && (
          <div className="row apart note">
            <span>
              {second_opinions > 0 && words.opinions(second_opinions)}{' '}
              {disputed > 0 && (
                <Link to="/sessions" search={{ assistant_id: assistantId, review: 'disputed' }}>
                  {words.disputed(disputed)}
                </Link>
              )}
            </span>
            <ButtonLink scope="reviews:write" to="/review" search={{ ...sample, review: 'single' }}>
              {words.giveOpinions}
            </ButtonLink>
          </div>
        )}
        {others > 0 && <p className="note">{words.others(others)}</p>}
        {fallback > 0 && <p className="note">{words.fallback(fallback)}</p>}
      </div>
    </Panel>
  );
}

/** @returns undefined if nothing was judged. */
const partsOf = ({ share, lower, upper }: Share) =>
  share === null ? undefined : { value: share, lower: lower ?? share, upper: upper ?? share };

interface FieldProps {
  field: FieldAccuracy;
  report: AccuracyReport;
}

function FieldRow({ title, field, report }: FieldProps & { title: string }) {
  const { name, judged, baseline, verified, unverified } = field;
  const parts = partsOf(field);
  if (!parts) return null;
  return (
    <li>
      <h3>
        <FieldTitle name={name} title={title} />
      </h3>
      <Whisker {...parts} mark={baseline?.share} />
      <div>
        <p>{words.right(formatShare(parts.value), formatRange(field), judged)}</p>
        <Remarks>
          {baseline && (
            <span>
              {words.always(
                baseline.value === null ? notSaid : formatValue(baseline.value),
                formatShare(baseline.share),
              )}
            </span>
          )}
          <Agreed agreement={field.agreement} />
          <Mistakes field={field} report={report} />
          {verified.share !== null && (
            <span>{words.verified(words.rightOf(formatShare(verified.share), verified.judged))}</span>
          )}
          {unverified.share !== null && (
            <span>{words.unverified(words.rightOf(formatShare(unverified.share), unverified.judged))}</span>
          )}
        </Remarks>
      </div>
    </li>
  );
}

/** How often two people agree. */
function Agreed({ agreement }: { agreement: FieldAccuracy['agreement'] }) {
  const { share, judged, kappa } = agreement;
  if (share === null) return null;
  const said = words.agree(formatShare(share), formatRange(agreement), judged);
  if (kappa === null) return <span>{said}</span>;
  const level = kappa >= 0.8 ? 'high' : kappa >= 0.4 ? 'middle' : 'low';
  return (
    <span>
      {said}: {words.kappa[level]} (κ {kappa.toFixed(2)})
    </span>
  );
}

/** Links to the corrected sessions of the sample. Wrong and invented values share a link, because lists cannot separate them. */
function Mistakes({ field: { name, wrong, missed, invented, unsure }, report }: FieldProps) {
  const { assistantId: assistant_id } = route.useParams();
  const { version } = route.useSearch();
  const linkTo = (operator: FieldOperator, counts: readonly (string | false)[]) => {
    const shown = counts.filter(Boolean).join(', ');
    return (
      shown && (
        <Link
          to="/sessions"
          search={{
            assistant_id,
            review: 'sampled',
            corrected: name,
            field: [conditionOn(name, operator)],
            ...momentsOf(report),
            ...(version !== undefined && { assistant_version: version }),
          }}
        >
          {shown}
        </Link>
      )
    );
  };
  return (
    <>
      {linkTo('not_null', [wrong > 0 && words.wrong(wrong), invented > 0 && words.invented(invented)])}
      {linkTo('null', [missed > 0 && words.missed(missed)])}
      {unsure > 0 && <span>{words.unsure(unsure)}</span>}
    </>
  );
}

/** What the review page says beside the conversations: how many reviews count, and when none is left. Loaded after the page. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ClipboardCheck } from 'lucide-react';
import { listAssistantsOptions } from 'conversation-analysis-client/react-query';
import { ButtonLink } from '../../components/button.tsx';
import { Creator } from '../../components/creator.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem-note.tsx';
import { reviewState } from '../../server/review.ts';
import type { useWalk } from './use-walk.ts';
import { TestOther } from '../../lists/test-other.tsx';
import { reviewCountOptions, useReviewCount } from '../../lists/review-sample.ts';
import type { ReviewSearch } from '../../lists/search.ts';
import { texts } from '../../texts/index.ts';
import styles from './review.module.css';

const words = texts.walk;

/** Numbers of reviews, and to within how many points they show a share of 85%: docs/reviews.md. */
const GOALS = [
  [30, 12],
  [60, 9],
  [100, 7],
  [200, 5],
  [500, 3],
] as const;

/** How many reviews of the period count, and the next goal. */
export function Progress({ search }: { search: ReviewSearch }) {
  const count = useReviewCount(search);
  if (count === undefined) return '…';
  const known = GOALS.findLast(([each]) => each <= count);
  const next = GOALS.find(([each]) => each > count);
  return (
    <>
      <label className={styles['progress']} title={words.progressWhy}>
        <span role="status">{words.progress(count, known?.[1], next)}</span>
        {next && <progress max={next[0]} value={count} />}
      </label>
      {count === known?.[0] && (
        <div className={`row ${styles['reached']}`} role="status">
          {words.reached} <TestOther assistantId={search.assistant_id} />
        </div>
      )}
    </>
  );
}

/** Assistants that are counted. Each takes a request. */
const MAX_COUNTED = 10;

/** The number of each assistant, the fewest first, because the accuracy is counted per assistant. */
export function ProgressOfAll({ search }: { search: ReviewSearch }) {
  const total = useReviewCount(search);
  const assistants = useQuery(listAssistantsOptions()).data?.data.filter(({ fields }) => fields?.length) ?? [];
  const counted = assistants.slice(0, MAX_COUNTED);
  const counts = useQueries({
    queries: counted.map(({ id }) => reviewCountOptions({ ...search, assistant_id: id })),
  });
  if (total === undefined || counts.some(({ data }) => data === undefined)) return '…';
  const rows = counted.map(({ id, name }, index) => ({ id, name, count: counts[index]?.data ?? 0 }));
  return (
    <span role="status">
      {words.progressOfAll(total)}{' '}
      {rows
        .sort((a, b) => a.count - b.count)
        .map(({ id, name, count }, index) => (
          <span key={id}>
            {index > 0 && ', '}
            <Link to="/review" search={{ range: search.range, assistant_id: id }}>
              <bdi>{name}</bdi>
            </Link>{' '}
            {count}
          </span>
        ))}
      {assistants.length > MAX_COUNTED && ' …'}
    </span>
  );
}

/** Says that the reviews do not count. */
export function Uncounted({ assistantId }: { assistantId: string | undefined }) {
  return (
    <span>
      {words.uncounted}{' '}
      <Link to="/review" search={{ assistant_id: assistantId }}>
        {words.useSample}
      </Link>
    </span>
  );
}

/** Enough reviews for second opinions on one in ten. */
const MANY = 10;

interface NoneLeftProps {
  pages: ReturnType<typeof useWalk>['pages'];
  search: ReviewSearch;
}

/** Shown while the list is read, if that failed, and after its last conversation. */
export function NoneLeft({ pages, search }: NoneLeftProps) {
  const { assistant_id: assistantId } = search;
  const reviewed = useReviewCount(search);
  if (pages.error) return <Problem error={pages.error} onRetry={() => void pages.refetch()} />;
  if (pages.isFetching) return <Skeleton lines={8} />;
  const isEmpty = reviewed === 0 && pages.data?.pages[0]?.data.length === 0;
  const next = isEmpty ? (
    <ButtonLink to="/start" search={{ assistant: assistantId }} scope="requests:write">
      {texts.shell.start}
    </ButtonLink>
  ) : (
    <div className="row">
      <TestOther assistantId={assistantId} />
      {search.review === 'unsampled' && (reviewed ?? 0) >= MANY && (
        <ButtonLink size="small" to="/review" search={{ ...search, review: 'single' }}>
          {words.giveOpinions}
        </ButtonLink>
      )}
    </div>
  );
  return <EmptyState icon={ClipboardCheck} title={words.none} detail={words.noneWhy} actions={next} />;
}

/** Says who reviewed the conversation first. */
export function Taken({ id }: { id: string }) {
  const { data } = useQuery(reviewState(id));
  const reviewer = data?.review.reviewed_by;
  return (
    <>
      {words.taken} {reviewer && <Creator id={reviewer} />}{' '}
      <Link to="/sessions/$sessionId" params={{ sessionId: id }}>
        {texts.deliveries.openSession}
      </Link>
    </>
  );
}

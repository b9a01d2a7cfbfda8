import { ClipboardCheck } from 'lucide-react';
import { ButtonLink } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem-note.tsx';
import { texts } from '../../texts/index.ts';
import { TestOther } from '../../lists/test-other.tsx';
import { useReviewCount } from '../../lists/review-sample.ts';
import type { ReviewSearch } from '../../lists/search.ts';
import type { useWalk } from './use-walk.ts';

const words = texts.walk;

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
    <TestOther assistantId={assistantId} />
  );
  return <EmptyState icon={ClipboardCheck} title={words.none} detail={words.noneWhy} actions={next} />;
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Creator } from '../../components/creator.tsx';
import { reviewState } from '../../server/review.ts';
import { texts } from '../../texts/index.ts';

const words = texts.walk;

/** Says who reviewed the conversation first. */
export function Taken({ id }: { id: string }) {
  const { data } = useQuery(reviewState(id));
  const reviewer = data?.review.reviewed_by;
  return (
    <>
      {words.taken} {reviewer && <Creator id={reviewer} />}{' '}
      <Link to="/sessions/$sessionId" params={{ sessionId: id }}>
        {words.openLast}
      </Link>
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { listAssistantsOptions } from 'conversation-analysis-client/react-query';
import { ButtonLink } from '../../components/button.tsx';
import { Section } from '../../components/page.tsx';
import { texts } from '../../texts/index.ts';
import { useReviewCount, useReviewSample } from '../../lists/review-sample.ts';

const words = texts.walk;

/** How many conversations of the last 30 days are reviewed, as the review page counts them. */
export function Reviews() {
  const sample = { ...useReviewSample(), range: '30d' as const };
  const count = useReviewCount(sample);
  const { data: assistants } = useQuery(listAssistantsOptions());
  if (count === undefined || !assistants?.data.some(({ fields }) => fields?.length)) return null;
  return (
    <Section title={texts.shell.review}>
      <div className="row apart">
        {words.reviewedCount(count)}
        <ButtonLink size="small" to="/review" search={sample}>
          {words.useSample}
        </ButtonLink>
      </div>
    </Section>
  );
}

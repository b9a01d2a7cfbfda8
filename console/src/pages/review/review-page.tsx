/** People review conversations one after the other, by keys alone: docs/reviews.md. */
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { ButtonLink } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Page, Skeleton } from '../../components/page.tsx';
import { lazyPart } from '../../server/load-file.ts';
import { texts } from '../../texts/index.ts';
import { useAssistantOptions } from '../../lists/assistant-options.ts';
import { useReviewSample } from '../../lists/review-sample.ts';
import { toQuery, type ReviewSearch } from '../../lists/search.ts';
import { useWalk, type Outcome } from './use-walk.ts';
import { Visit } from './visit.tsx';

const loadRest = () => import('./progress.tsx');
const NoneLeft = lazyPart(loadRest, 'NoneLeft');
const Progress = lazyPart(loadRest, 'Progress');
const ProgressOfAll = lazyPart(loadRest, 'ProgressOfAll');
const Taken = lazyPart(loadRest, 'Taken');
const Uncounted = lazyPart(loadRest, 'Uncounted');
const route = getRouteApi('/inside/review');
const words = texts.walk;

/** The filters that do not depend on the result, so that each page of the random order is a random sample. */
const NEUTRAL = [
  ...['assistant_id', 'assistant_version', 'range', 'created_after', 'created_before'],
  ...['status', 'reanalysis', 'review', 'sort', 'seed', 'columns'],
];

const isRandom = (search: ReviewSearch) =>
  search.sort === 'random' && Object.keys(search).every((name) => NEUTRAL.includes(name));

const isSample = (search: ReviewSearch) => search.review === 'unsampled' && isRandom(search);

export function ReviewPage() {
  const given = route.useSearch();
  const navigate = route.useNavigate();
  const sample = useReviewSample(given.assistant_id);
  const { review, ...order } = sample;
  const isDated = (given.range ?? given.created_after ?? given.created_before) !== undefined;
  // Chosen sessions are shown, however old they are, and whether or not they are reviewed.
  const defaults = given.session_id ? order : { ...order, review, ...(!isDated && { range: '30d' as const }) };
  const search: ReviewSearch = { ...defaults, ...given };
  const { assistant_id } = search;
  const { seed: _, sort: _sort, reanalysis: _reanalysis, ...listed } = given;
  const assistants = useAssistantOptions();
  return (
    <Page>
      <PageHeader
        title={texts.shell.review}
        crumb={
          Object.keys(given).some((name) => !NEUTRAL.includes(name)) && (
            <Link to="/sessions" search={listed}>
              {texts.shell.sessions}
            </Link>
          )
        }
        below={
          <Suspense fallback="…">
            {search.review === 'single' ? (
              words.second
            ) : !isSample(search) ? (
              <Uncounted assistantId={assistant_id} />
            ) : assistant_id === undefined && assistants.length > 1 ? (
              <ProgressOfAll search={search} />
            ) : (
              <Progress search={search} />
            )}
          </Suspense>
        }
        actions={
          <>
            {assistant_id !== undefined && (
              <ButtonLink to="/assistants/$assistantId/results" params={{ assistantId: assistant_id }}>
                {words.toAccuracy}
              </ButtonLink>
            )}
            <Choice
              label={texts.kinds.asst}
              value={assistant_id ?? ''}
              options={[{ value: '', label: texts.lists.allAssistants }, ...assistants]}
              onChoose={(id) => void navigate({ search: ({ range }) => ({ range, assistant_id: id || undefined }) })}
            />
          </>
        }
      />
      <Walk key={JSON.stringify(search)} search={search} />
    </Page>
  );
}

function Walk({ search }: { search: ReviewSearch }) {
  // The period ends now, and does not move while the person reviews.
  const [query] = useState(() => ({ ...toQuery({ ...search, reanalysis: 'false' }), sort: search.sort }));
  const isSecond = search.review === 'single';
  const walk = useWalk(query, isSecond);
  const { id, pages } = walk;
  const [last, setLast] = useState<{ id: string; outcome: Outcome }>();
  return (
    <>
      <div role="status" className="note">
        {last?.outcome === 'gone' && words.gone}
        <Suspense>{last?.outcome === 'taken' && <Taken id={last.id} />}</Suspense>{' '}
        {walk.isSkipped && words.skippedBefore}
      </div>
      {id === undefined ? (
        <Suspense fallback={<Skeleton lines={8} />}>
          <NoneLeft pages={pages} search={search} />
        </Suspense>
      ) : (
        <Visit
          key={id}
          id={id}
          counted={isSample(search)}
          second={isSecond ? { sampled: isRandom(search) } : undefined}
          next={walk.next}
          isSaved={walk.outcome === 'saved'}
          onBack={isSecond ? undefined : walk.back}
          onEnd={(outcome) => {
            setLast({ id, outcome });
            walk.end(outcome);
          }}
        />
      )}
    </>
  );
}

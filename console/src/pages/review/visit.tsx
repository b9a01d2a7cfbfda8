/** One conversation that a person reviews: the transcript, the questions, and what happens when the review is saved. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { putSecondOpinion } from 'conversation-analysis-client';
import { getSessionOptions } from 'conversation-analysis-client/react-query';
import type { Session } from 'conversation-analysis-client';
import { questionsOf } from '../../../../contract/fields/field-types.ts';
import type { FieldResults, Quote } from '../../../../contract/fields/result-fields.ts';
import { both, Loaded } from '../../components/loaded.tsx';
import { UnsavedGuard } from '../../components/unsaved-guard.tsx';
import { markOpened } from '../../components/form-values.ts';
import { Time } from '../../components/values.tsx';
import { firstValue } from '../../format/metadata.ts';
import { loginOptions } from '../../server/login.ts';
import { isNotFound, toFailure } from '../../server/problem.ts';
import { LIST_COUNT, queryClient } from '../../server/queries.ts';
import { answerOf, readReview, reviewState, storeReview, withAnswer } from '../../server/review.ts';
import type { Draft, ReviewState } from '../../server/review.ts';
import { texts } from '../../texts/index.ts';
import { Conversation } from '../../conversation/conversation.tsx';
import type { Notes } from '../../conversation/turn-notes.tsx';
import { Questions } from './questions.tsx';
import split from '../../conversation/split.module.css';
import styles from './review.module.css';
import type { Outcome } from './use-walk.ts';

interface VisitProps {
  id: string;
  next: string | undefined;
  /** Whether the reviews count in the accuracy. */
  counted: boolean;
  /** For a second opinion, which shows nothing of the review: whether it counts in the agreement. */
  second: { sampled: boolean } | undefined;
  /** Whether the person has reviewed it on this page and returns to it. */
  isSaved: boolean;
  onBack: (() => void) | undefined;
  onEnd: (outcome: Outcome) => void;
}

export function Visit({ id, next, ...rest }: VisitProps) {
  const session = useQuery(getSessionOptions({ path: { id } }));
  // The review as it is now, because a review that was read ahead may be outdated.
  const state = useQuery({ ...reviewState(id), staleTime: 0 });
  const isGone = isNotFound(session.error ?? state.error);
  const { onEnd } = rest;
  useEffect(() => {
    if (isGone) onEnd('gone');
  }, [isGone, onEnd]);
  useEffect(() => {
    const ahead = getSessionOptions({ path: { id: next ?? '' } });
    if (next !== undefined) queryClient.query({ ...ahead, staleTime: 'static' }).catch(() => undefined);
  }, [next]);
  const opened = { ...state, data: state.isFetchedAfterMount ? state.data : undefined };
  return (
    <Loaded query={both(session, opened)} lines={8}>
      {([data, found]) => <Opened session={data} found={found} {...rest} />}
    </Loaded>
  );
}

interface OpenedProps extends Omit<VisitProps, 'id' | 'next'> {
  session: Session;
  found: ReviewState;
}

const EMPTY = { answers: {}, unsure: [] };
const NO_NOTES = { turn_notes: [], note: null, summary_text: null };

function Opened({ session, found, counted, second, isSaved, onBack, onEnd }: OpenedProps) {
  // A save replaces the review that was opened, or fails if somebody else changed it.
  const [opened] = useState(found);
  const [draft, setDraft] = useState<Draft>(() =>
    second ? { ...opened.review, ...EMPTY, ...NO_NOTES } : isSaved ? opened.review : { ...opened.review, ...EMPTY },
  );
  const [quoted, setQuoted] = useState<readonly Quote[]>([]);
  const { data: user } = useQuery(loginOptions);
  // Somebody else reviewed it after the list was read.
  const isTaken = counted && !isSaved && opened.review.sampled;
  useEffect(() => {
    if (isTaken) onEnd('taken');
  }, [isTaken, onEnd]);
  /** Somebody else reviewed it meanwhile: the answers can still be a second opinion. */
  const [isLate, setLate] = useState(false);
  const save = useMutation({
    mutationFn: () =>
      second || isLate
        ? giveOpinion(session.session_id, draft, second?.sampled ?? counted)
        : saveReview(opened, { ...draft, sampled: counted || draft.sampled }, user?.id),
    onSuccess: (outcome) => {
      if (outcome === 'taken') return setLate(true);
      void queryClient.invalidateQueries({ queryKey: [LIST_COUNT, 'review'] });
      onEnd(outcome);
    },
  });
  const changeNotes: Notes['onChange'] = (change, done) => {
    setDraft({ ...draft, turn_notes: change(draft.turn_notes) });
    done();
  };
  const { fields = {}, evidence = {}, problems = {} } = (session.raw_response ?? {}) as Partial<FieldResults>;
  return (
    <div className={`${split['split']} ${styles['visit']}`}>
      <div className={`stack ${split['conversation']}`} data-conversation>
        <div className="row note">
          <Link to="/sessions/$sessionId" params={{ sessionId: session.session_id }} dir="auto">
            {firstValue(session.metadata) ?? texts.deliveries.openSession}
          </Link>
          <bdi>{session.assistant.name}</bdi>
          <Time at={session.occurred_at} />
        </div>
        <Conversation
          session={session}
          quoted={quoted}
          onShow={(quotes) => setQuoted([...quotes])}
          notes={
            second
              ? undefined
              : { list: draft.turn_notes, isRedacted: session.redaction !== null, onChange: changeNotes }
          }
        />
      </div>
      <Questions
        fields={questionsOf(session.assistant.fields)}
        results={{ fields, evidence, problems }}
        summary={second ? null : session.summary_text}
        isRedacted={session.redaction !== null}
        {...{ draft, onBack }}
        onDraft={setDraft}
        onShow={(quotes) => setQuoted([...quotes])}
        isSaving={save.isPending}
        error={save.error}
        notice={isLate ? texts.walk.late : undefined}
        onSave={() => save.mutate()}
        onSkip={() => onEnd('skipped')}
      />
      <DraftGuard draft={draft} />
    </div>
  );
}

async function giveOpinion(id: string, { answers, unsure }: Draft, sampled: boolean): Promise<Outcome> {
  await putSecondOpinion({ path: { id }, body: { answers, unsure, sampled }, throwOnError: true });
  return 'saved';
}

/**
 * Stores a review. Returns `taken` if somebody else reviewed the session since it was opened. In a review of the same person, in
 * another tab, changes only what differs from the opened one.
 */
async function saveReview(opened: ReviewState, draft: Draft, userId: string | undefined): Promise<Outcome> {
  const { session_id: id } = opened.review;
  const { answers, unsure } = opened.review;
  // A question without an answer keeps the answer of the former review.
  const given = [...Object.keys(draft.answers), ...draft.unsure].reduce(
    (merged, name) => withAnswer(merged, name, answerOf(draft, name)),
    { ...draft, answers, unsure },
  );
  try {
    const saved = await storeReview(opened, given);
    queryClient.setQueryData(reviewState(id).queryKey, saved);
    return 'saved';
  } catch (error) {
    const { status } = toFailure(error);
    if (status === 404) return 'gone';
    if (status !== 412) throw error;
    const current = await readReview(id);
    if (current.review.reviewed_by !== userId) return 'taken';
    const { summary_text, note, turn_notes } = opened.review;
    return saveReview(
      current,
      {
        ...draft,
        ...(draft.summary_text === summary_text && { summary_text: current.review.summary_text }),
        ...(draft.note === note && { note: current.review.note }),
        ...(draft.turn_notes === turn_notes && { turn_notes: current.review.turn_notes }),
      },
      userId,
    );
  }
}

/** Asks before answers are lost: when another page opens, and when the login has ended. */
function DraftGuard({ draft }: { draft: Draft }) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (form.current) markOpened(form.current);
  }, []);
  return (
    <form ref={form} hidden>
      <input type="hidden" name="draft" value={JSON.stringify(draft)} />
      <UnsavedGuard form={form} />
    </form>
  );
}

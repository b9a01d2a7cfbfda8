import { useMutation, useQuery } from '@tanstack/react-query';
import type { Session } from 'conversation-analysis-client';
import { showFailure } from '../../components/toasts.tsx';
import { useMay } from '../../server/membership.ts';
import { queryClient } from '../../server/queries.ts';
import { changeReview, reviewState, type Draft } from '../../server/review.ts';
import type { Notes } from '../../conversation/turn-notes.tsx';

/** Returns the review of a session, and how to change it. A reanalysis has the review of its original, which it can't change. */
export function useReview({ session_id, source_session_id, status }: Session) {
  const options = reviewState(source_session_id ?? session_id);
  const may = useMay();
  const { data: state } = useQuery({ ...options, enabled: status === 'completed' });
  const save = useMutation({
    mutationFn: async (change: (draft: Draft) => Draft) => {
      if (state) queryClient.setQueryData(options.queryKey, await changeReview(state, change));
    },
  });
  return { state, save, canChange: source_session_id === null && status === 'completed' && may('reviews:write') };
}

/** Returns the notes about the turns of a session; undefined while they are read. */
export function useTurnNotes(session: Session): Notes | undefined {
  const { state, save, canChange } = useReview(session);
  const onChange: Notes['onChange'] = (change, onSuccess) =>
    save.mutate((draft) => ({ ...draft, turn_notes: change(draft.turn_notes) }), { onSuccess, onError: showFailure });
  return (
    state && {
      list: state.review.turn_notes,
      isRedacted: session.redaction !== null,
      isSaving: save.isPending,
      onChange: canChange ? onChange : undefined,
    }
  );
}

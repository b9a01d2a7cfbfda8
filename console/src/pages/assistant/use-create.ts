import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { createAssistantMutation } from 'conversation-analysis-client/react-query';
import { showToast } from '../../components/toasts.tsx';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';

/** Creates an assistant and opens its page, unless `open` opens another one. */
export function useCreate(open?: (id: string) => Promise<void>) {
  const navigate = useNavigate();
  return useMutation({
    ...createAssistantMutation(),
    onSuccess: async ({ id }) => {
      await refresh('listAssistants');
      showToast(texts.labels.saved);
      return open?.(id) ?? navigate({ to: '/assistants/$assistantId', params: { assistantId: id }, replace: true });
    },
  });
}

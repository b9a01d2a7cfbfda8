import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { createAssistantMutation } from 'conversation-analysis-client/react-query';
import { showToast } from '../../components/toasts.tsx';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';

/** Creates an assistant and opens its page. */
export function useCreate() {
  const navigate = useNavigate();
  return useMutation({
    ...createAssistantMutation(),
    onSuccess: ({ id }) => {
      void refresh('listAssistants');
      showToast(texts.assistant.created);
      return navigate({ to: '/assistants/$assistantId', params: { assistantId: id }, replace: true });
    },
  });
}

/** What mutations have in common, and those that change the user and the workspace. */
import { useMutation } from '@tanstack/react-query';
import { updateCurrentUserMutation, updateWorkspaceMutation } from 'conversation-analysis-client/react-query';
import { showFailure, showToast } from './toasts.tsx';
import { loginOptions } from '../server/login.ts';
import { queryClient, refresh } from '../server/queries.ts';
import { texts } from '../texts/index.ts';

/** Options of a mutation without a form: shows why it failed, and refreshes the responses of these operations. */
export const reporting = (...operations: string[]) => ({
  onError: showFailure,
  onSettled: () => refresh(...operations),
});

export const useUpdateUser = () =>
  useMutation({
    ...updateCurrentUserMutation(),
    onSuccess: (user) => {
      queryClient.setQueryData(loginOptions.queryKey, user);
      showToast(texts.labels.saved);
    },
  });

export const useUpdateWorkspace = (onSaved?: () => void) =>
  useMutation({
    ...updateWorkspaceMutation(),
    onSuccess: async () => {
      await refresh('listWorkspaces');
      showToast(texts.labels.saved);
      onSaved?.();
    },
  });

/** The current login. Scripts can't read its cookie. */
import { queryOptions, useMutation } from '@tanstack/react-query';
import {
  closeConsoleSession,
  deleteCurrentUser,
  getConsoleSession,
  openConsoleSession,
  registerInConsole,
} from 'conversation-analysis-client';
import type { DeleteAccountInput, LoginInput, RegisterInput, User } from 'conversation-analysis-client';
import { updateCurrentUserMutation } from 'conversation-analysis-client/react-query';
import { say } from '../components/toasts.tsx';
import { texts } from '../texts/index.ts';
import './client.ts';
import { queryClient } from './queries.ts';
import { PERSONAL_API } from './workspace.ts';

/** Fails with 401 without a login. */
export const loginOptions = queryOptions({
  queryKey: ['login'],
  queryFn: async ({ signal }) =>
    (await getConsoleSession({ baseUrl: PERSONAL_API, signal, throwOnError: true })).data.user,
  staleTime: Infinity,
});

export const logIn = async (body: LoginInput) =>
  enter((await openConsoleSession({ body, throwOnError: true })).data.user);

export const register = async (body: RegisterInput) =>
  enter((await registerInConsole({ body, throwOnError: true })).data.user);

/** Ends the login on the server and clears all cached data. */
export async function logOut(): Promise<void> {
  await closeConsoleSession({ baseUrl: PERSONAL_API, throwOnError: true });
  queryClient.clear();
}

/** Deletes the account and clears all cached data. */
export async function deleteAccount(body: DeleteAccountInput): Promise<void> {
  await deleteCurrentUser({ body, throwOnError: true });
  queryClient.clear();
}

/** Returns the mutation that changes the logged-in user. */
export const useUpdateUser = (onSaved?: () => void) =>
  useMutation({
    ...updateCurrentUserMutation(),
    onSuccess: (user) => {
      queryClient.setQueryData(loginOptions.queryKey, user);
      say(texts.account.saved);
      onSaved?.();
    },
  });

function enter(user: User): void {
  queryClient.clear();
  queryClient.setQueryData(loginOptions.queryKey, user);
}

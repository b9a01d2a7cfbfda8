/** Who is logged in. The browser holds the cookie; nothing here can read it. */
import { queryOptions } from '@tanstack/react-query';
import {
  closeConsoleSession,
  deleteCurrentUser,
  getConsoleSession,
  openConsoleSession,
  registerInConsole,
} from '../../../clients/typescript/src/index.ts';
import type { DeleteAccountInput, LoginInput, RegisterInput, User } from '../../../clients/typescript/src/index.ts';
import './client.ts';
import { queryClient } from './queries.ts';

/** Fails with 401 where nobody is logged in. */
export const loginOptions = queryOptions({
  queryKey: ['login'],
  queryFn: async ({ signal }) => (await getConsoleSession({ signal, throwOnError: true })).data.user,
  staleTime: Infinity,
});

export async function logIn(body: LoginInput): Promise<void> {
  enter((await openConsoleSession({ body, throwOnError: true })).data.user);
}

export async function register(body: RegisterInput): Promise<void> {
  enter((await registerInConsole({ body, throwOnError: true })).data.user);
}

/** Ends the login on the server, and forgets everything that was read with it. */
export async function logOut(): Promise<void> {
  await closeConsoleSession({ throwOnError: true });
  queryClient.clear();
}

/** Ends the account, and forgets everything that was read with it. */
export async function deleteAccount(body: DeleteAccountInput): Promise<void> {
  await deleteCurrentUser({ body, throwOnError: true });
  queryClient.clear();
}

function enter(user: User): void {
  queryClient.clear();
  queryClient.setQueryData(loginOptions.queryKey, user);
}

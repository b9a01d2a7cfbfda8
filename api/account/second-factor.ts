/** Codes of authenticator apps (RFC 6238) and recovery codes. docs/decisions.md, "Second factor". */
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { AuditEventModel } from '../../db/models/audit-event.ts';
import { RecoveryCodeModel, SecondFactorModel } from '../../db/models/second-factor.ts';
import type { UserModel } from '../../db/models/user.ts';
import type { ApiDeps } from '../deps.ts';
import { type ApiError, invalidAt, refusal } from '../errors.ts';
import { base32 } from '../guard/tokens.ts';
import { notify } from '../mail/send.ts';

type CodeDeps = Pick<ApiDeps, 'loginLimits' | 'mailer' | 'secrets'>;

const ISSUER = 'Conversation Analysis';
const RECOVERY_CODES = 10;

/** Wrong codes in a row after which the user is notified. */
const CODES_UNTIL_NOTICE = 10;

/** SHA-1, 6 digits and 30 s are what every authenticator app supports. */
const totpOf = (secret: string, label = '') =>
  new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 });

/** Returns a new secret that logins need after `confirmSecondFactor`. */
export async function startSecondFactor({ mailer, secrets }: CodeDeps, user: UserModel) {
  if (mailer && user.email_verified_at === null) throw refusal('email_unverified');
  const secret = new Secret({ size: 20 }).base32;
  if (!(await SecondFactorModel.begin(user.id, secrets.seal(secret, user.id)))) {
    throw refusal('second_factor_on:setup');
  }
  return { secret, uri: totpOf(secret, user.email).toString() };
}

/** Turns the second factor on and returns recovery codes. */
export async function confirmSecondFactor(deps: CodeDeps, user: UserModel, code: string): Promise<string[]> {
  if (user.has_second_factor) throw refusal('second_factor_on');
  if (!(await isAppCode(deps, user, code))) throw wrongCode();
  const codes = await replaceRecoveryCodes(user);
  notify(deps, user, 'A second factor was turned on for your account.');
  return codes;
}

export async function replaceRecoveryCodes({ id }: UserModel): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    base32(BigInt(`0x${randomBytes(15).toString('hex')}`), 24),
  );
  await SecondFactorModel.setRecoveryCodes(id, codes);
  return codes.map((code) => code.match(/.{6}/g)?.join('-') ?? code);
}

/**
 * Accepts a code of the app or a recovery code, each once. Throws `validation_failed`, or `rate_limited` during a hold.
 * @param from the address of the client, and its login if it has one. Wrong codes hold the codes of this login or network first.
 */
export async function requireCode(
  deps: CodeDeps,
  user: UserModel,
  code: string,
  { address, loginId }: { address: string; loginId?: string },
): Promise<void> {
  const typed = code.replaceAll(/[\s-]/g, '').toLowerCase();
  if (/^\d{6}$/.test(typed)) {
    const attempt = async () => (await isAppCode(deps, user, typed)) || undefined;
    if (await deps.loginLimits.guard(`codes of ${user.id}`, loginId ?? address, attempt)) return;
    throw wrongCode();
  }
  if (!(await RecoveryCodeModel.use(user.id, typed))) throw wrongCode();
  await AuditEventModel.recordOwn(user, { action: 'recovery_code_used', address });
  notify(deps, user, 'A recovery code of your account was used.');
}

/** Returns whether the code is right and was not used. Throws `rate_limited` during a hold. */
async function isAppCode(deps: CodeDeps, user: UserModel, code: string): Promise<boolean> {
  const factor = await SecondFactorModel.countTry(user.id);
  if (!factor) throw await heldOrMissing(user);
  const secret = deps.secrets.open(factor.secret, user.id);
  if (secret === undefined) throw new Error('no key opens the secret of a second factor');
  const totp = totpOf(secret);
  // The library counts characters, but compares bytes.
  const drift = /^\d{6}$/.test(code) ? totp.validate({ token: code, window: 1 }) : null;
  if (drift !== null && (await SecondFactorModel.accept(user.id, totp.counter() + drift))) return true;
  if (factor.failures % CODES_UNTIL_NOTICE === 0) {
    notify(deps, user, 'Somebody entered your password and ten wrong codes. Change your password.');
  }
  return false;
}

async function heldOrMissing({ id }: UserModel): Promise<ApiError> {
  const held_until = (await SecondFactorModel.query().findById(id))?.held_until;
  if (!held_until) return refusal('no_second_factor');
  return refusal('wrong_codes', {
    retryAfterS: Math.max(1, Math.ceil((held_until.getTime() - Date.now()) / 1_000)),
  });
}

const wrongCode = () => invalidAt('code', 'wrong_code');

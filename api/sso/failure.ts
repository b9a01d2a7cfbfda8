/** What the log says of a failed sign-in. */
import * as client from 'openid-client';

/** Returns the provider's error code and description. The library does not read the body of a 401. */
export async function readRefusal(
  error: unknown,
): Promise<{ error?: unknown; error_description?: unknown; status?: number }> {
  if (error instanceof client.ResponseBodyError) return error;
  if (!(error instanceof client.WWWAuthenticateChallengeError)) return {};
  const { status } = error;
  // Some providers send no JSON. The status then means the same.
  const body = (await error.response
    .clone()
    .json()
    .catch(() => ({}))) as object;
  return { error: 'invalid_client', ...body, status };
}

/**
 * Returns what the log says of a failed sign-in. Of the cause, which can contain codes and tokens, only what the provider says of the
 * error, and the values of a failed comparison.
 */
export function describeFailure(error: unknown) {
  const { code, message, cause, error: refusal, error_description, status } = error as Record<string, unknown>;
  const { attribute, expected, body, header, alg } = Object(cause instanceof Error ? cause.cause : cause) as Record<
    string,
    Record<string, unknown> | string | undefined
  >;
  const isIssuer = attribute === 'issuer' || attribute === 'iss';
  const reported = isIssuer && typeof body === 'object' ? body[attribute as string] : undefined;
  const algorithm = typeof header === 'object' ? header['alg'] : alg;
  return {
    code,
    reason: cause instanceof Error ? `${String(message)}: ${cause.message}` : message,
    status,
    error: refusal,
    error_description: typeof error_description === 'string' ? error_description.slice(0, 500) : undefined,
    ...(isIssuer && {
      expected_issuer: expected,
      reported_issuer: reported,
      advice: 'set OIDC_ISSUER to the reported issuer',
    }),
    ...(String(algorithm).startsWith('HS') && {
      algorithm,
      advice: 'give the provider a signing key: ID tokens must be signed with RS256 or another public-key algorithm',
    }),
  };
}

/** Reads what the provider says about a person, from the ID token and, if that lacks something, from the userinfo endpoint. */
import * as client from 'openid-client';
import type { Config } from '../../runtime/settings/config.ts';
import type { Log } from '../../runtime/telemetry/log.ts';
import type { Claims } from './claims.ts';
import { describeFailure } from './failure.ts';

type Settings = NonNullable<Config['sso']>;

interface ClaimDeps {
  settings: Settings;
  log: Log;
  config: client.Configuration;
}

type Tokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>;

export async function gatherClaims({ settings, log, config }: ClaimDeps, tokens: Tokens): Promise<Claims> {
  const needsGroups = settings.allowedGroups.length + settings.groupWorkspaces.length > 0;
  const idToken = tokens.claims();
  if (!idToken) throw new Error('the provider returned no ID token');
  const { emailClaim, groupsClaim, trustsEmail } = settings;
  const lacksGroups = (claims: object) => needsGroups && !Object.hasOwn(claims, groupsClaim);
  const needsProof = emailClaim === 'email' && !trustsEmail;
  const isComplete =
    Object.hasOwn(idToken, emailClaim) &&
    (!needsProof || Object.hasOwn(idToken, 'email_verified')) &&
    !lacksGroups(idToken);
  const hasMore = !isComplete && config.serverMetadata().userinfo_endpoint !== undefined;
  const more = hasMore
    ? await client.fetchUserInfo(config, tokens.access_token, idToken.sub).catch((error: unknown) => {
        // Without their groups, people would lose what their groups gave them.
        if (lacksGroups(idToken)) throw error;
        log.warn(describeFailure(error), 'the userinfo endpoint failed: the ID token is used alone');
        return {};
      })
    : {};
  // An answer verifies only the address that it contains: the other answer may have another one.
  const verifying = [idToken, more].find(
    (each) => Object.hasOwn(each, emailClaim) && Object.hasOwn(each, 'email_verified'),
  );
  const { [emailClaim]: address, email_verified }: Record<string, unknown> = verifying ?? {};
  const verified = verifying ? { [emailClaim]: address, email_verified } : { email_verified: undefined };
  const all: Record<string, unknown> = { ...more, ...idToken, ...(needsProof && verified) };
  if (lacksGroups(all) && hasOverage(all)) throw new Error(OVERAGE);
  if (all[emailClaim] === undefined && trustsEmail) {
    log.warn({ claims: Object.keys(all) }, `the provider reported no claim ${emailClaim}: set OIDC_EMAIL_CLAIM`);
  }
  if (!trustsEmail && all['email_verified'] === undefined) {
    log.warn(
      { claims: Object.keys(all) },
      'the provider does not report whether it verified the address: set OIDC_TRUST_EMAIL if it did',
    );
  }
  return readClaims(all, idToken, settings);
}

const OVERAGE =
  'the person is in too many groups for a token: let the provider send only the groups assigned to the application, or its roles with OIDC_GROUPS_CLAIM=roles';

/** Entra then sends a link to its own API instead of the groups. */
const hasOverage = ({ _claim_names: names, hasgroups }: Record<string, unknown>) =>
  Object.hasOwn(Object(names) as object, 'groups') || hasgroups !== undefined;

/** PostgreSQL stores no such character. */
const NUL = '\u0000';

function readClaims(
  all: Record<string, unknown>,
  { iss, sub }: { iss: string; sub: string },
  { emailClaim, groupsClaim, strongAcr, trustsEmail }: Settings,
): Claims {
  // Removing the NUL from a subject or an address could make it that of another person.
  if (sub === '' || sub.includes(NUL)) throw new Error('the provider reported no valid subject');
  const groups = all[groupsClaim];
  const textOrNull = (value: unknown) =>
    typeof value === 'string' && value !== '' && !value.includes(NUL) ? value : null;
  const hasStrongAcr = strongAcr.includes(textOrNull(all['acr']) ?? '');
  return {
    issuer: iss,
    subject: sub,
    email: textOrNull(all[emailClaim]),
    // Some providers send the text "true".
    isEmailVerified:
      trustsEmail || (emailClaim === 'email' && [true, 'true'].includes(all['email_verified'] as string)),
    name: textOrNull(all['name']),
    groups:
      groups === undefined
        ? undefined
        : [groups]
            .flat()
            .map(String)
            .filter((group) => !group.includes(NUL)),
    isStrong: hasStrongAcr || (Array.isArray(all['amr']) && all['amr'].includes('mfa')),
  };
}

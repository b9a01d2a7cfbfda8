/** What problems say: every sentence with its code. The API sends the reason, so that clients can word the problem. */
import type { ErrorCode } from './errors.ts';
import { say, type CodeOf, type Params, type ParamsIn } from './sentence.ts';

/** By reason: the code, and the sentence. */
export const PROBLEMS = {
  no_resource: ['not_found', 'No {resource} in your workspace has this ID.'],
  'no_resource:path': ['not_found', 'This path does not exist.'],
  just_deleted: ['not_found', 'The resource was deleted during the request.'],
  no_workspace_access: [
    'not_found',
    'You are not a member of a workspace with this ID, or your API token belongs to another workspace.',
  ],
  no_console_login: ['not_found', "This request does not have the console's cookie."],
  no_recording: ['not_found', 'This session has no recording, or the recording was removed.'],
  no_transcript: ['not_found', 'This session has no transcript.'],
  'no_transcript:yet': ['conflict', 'This session has no transcript yet.'],
  'no_transcript:to_analyze': ['conflict', 'This session has no transcript to analyze.'],
  no_single_sign_on: ['not_found', 'This installation has no single sign-on.'],
  sign_in_expired: ['not_found', 'This sign-in has expired. Sign in again.'],
  invitation_ended: ['not_found', 'This invitation has expired, or was accepted or revoked.'],
  other_invitee: ['conflict', 'This invitation is for {email}, and your address is {own}.'],
  email_unverified: ['conflict', 'Verify your email address first.'],
  'email_unverified:present': ['conflict', 'Verify your present email address first.'],
  password_changed: ['conflict', 'The password was changed by another request. Log in with the new one.'],
  no_second_factor: ['conflict', 'Set up a second factor first.'],
  second_factor_on: ['conflict', 'The second factor is already on.'],
  'second_factor_on:setup': ['conflict', 'The second factor is already on. Turn it off first.'],
  only_login: ['conflict', 'This is your only way to log in. Set a password first.'],
  identity_taken: ['conflict', 'This single sign-on belongs to another account.'],
  not_a_login: ['conflict', 'This is an API token, not a login. Revoke it at /v1/keys/{key_id}.'],
  token_rolled: ['conflict', 'This API token was rolled already. Roll its successor, or create a token.'],
  last_owner: ['last_owner', 'Appoint another owner of {workspaces} first.'],
  attempt_running: ['conflict', 'An attempt of this delivery is running or about to start.'],
  'attempt_running:session': ['conflict', 'A try of this session is running or about to start.'],
  sharing_off: ['conflict', 'This installation has no shared links: its setting SHARED_LINKS is not true.'],
  not_waiting: ['conflict', 'This session does not wait for a provider. It is {status}.'],
  delivery_pending: ['conflict', 'This delivery is still pending. Retry it now, or stop it first.'],
  delivery_ended: ['conflict', 'This delivery has already ended.'],
  'delivery_ended:retry': ['conflict', 'This delivery is {status}. Redeliver it instead.'],
  delivery_lost: ['conflict', 'The workflow of this delivery is not running. Try again in a minute.'],
  batch_ended: ['conflict', 'This batch has ended or is being canceled.'],
  'batch_ended:cancel': ['conflict', 'This batch has already ended, or is being canceled.'],
  not_reanalyses: ['conflict', 'Only batches of reanalyses have a comparison.'],
  'not_reanalyses:accuracy': ['conflict', 'Only batches of reanalyses are compared with reviews.'],
  not_failed: ['conflict', 'Only failed sessions can be retried. This one is {status}.'],
  not_completed: ['conflict', 'Only completed sessions can be reviewed. This one is {status}.'],
  session_ended: ['conflict', 'The session has already ended with the status {status}.'],
  session_running: ['conflict', 'The session is running. Set its roles when it has ended.'],
  is_reanalysis: ['conflict', 'This session is a reanalysis. Review its original, {original}.'],
  is_follow_up: ['conflict', 'This session is a follow-up. Analyze its first session, {first}.'],
  not_reviewed: ['conflict', 'Somebody must review this session first.'],
  own_review: ['conflict', 'You reviewed this session. Somebody else must give the second opinion.'],
  second_opinion_given: ['conflict', 'This session has a second opinion already.'],
  nothing_to_decide: ['conflict', 'There is nothing to decide: the two reviews agree, or somebody has decided.'],
  only_reviewers: ['conflict', 'Two people differ about this session. Only one of them or an owner can decide.'],
  has_roles: ['conflict', 'The speakers of a text session are already in its turns.'],
  no_times: ['conflict', 'This transcript has no times, which the format {format} requires. Use txt or json.'],
  assistant_deleted: ['conflict', 'The assistant of this session is deleted.'],
  recording_removed: ['conflict', 'The recording of this session was removed, and there is no transcript.'],
  url_removed: ['conflict', 'The URL of the recording was deleted. Send audio_url.'],
  url_not_needed: ['conflict', 'Send audio_url only if the download of the recording failed.'],
  originals_locked: [
    'conflict',
    "The originals of this session can't be decrypted. Their key is not in ENCRYPTION_KEYS.",
  ],
  assistants_limit: ['quota_exceeded', 'Limit of {max} assistants reached. Delete one first.'],
  prompts_limit: [
    'quota_exceeded',
    'Limit of {max} MB for the prompts and questions of all assistants reached. Shorten or delete some first.',
  ],
  batches_limit: ['quota_exceeded', 'Limit of {max} running batches reached. Cancel one first.'],
  tokens_limit: ['quota_exceeded', 'Limit of {max} API tokens reached. Revoke one first.'],
  members_limit: ['quota_exceeded', 'Limit of {max} members reached.'],
  invitations_limit: ['quota_exceeded', 'Limit of {max} open invitations reached. Revoke one first.'],
  shares_limit: ['quota_exceeded', 'Limit of {max} shared links reached. Revoke one first.'],
  workspaces_limit: ['quota_exceeded', 'Limit of {max} workspaces that you own reached. Delete one first.'],
  text_limit: ['quota_exceeded', 'Limit of {max} MiB for your conversations reached. Delete sessions first.'],
  recordings_limit: [
    'quota_exceeded',
    'This recording would exceed the limit of {max} MiB for your recordings. Delete sessions first.',
  ],
  sessions_limit: ['rate_limited', 'Limit of {max} unfinished sessions reached. Try again in {seconds} seconds.'],
  exports_limit: ['rate_limited', 'Limit of {max} running exports reached. Wait until one is complete.'],
  streams_limit: ['rate_limited', 'Limit of {max} event streams reached. Close one.'],
  requests_limit: ['rate_limited', 'Too many requests. Try again in {seconds} seconds.'],
  requests_at_once: ['rate_limited', 'Too many requests at once. Wait for some responses first.'],
  'requests_at_once:bytes': [
    'rate_limited',
    'Too many large requests or unread responses at once. Read some responses first.',
  ],
  invalid_credentials: ['rate_limited', 'Too many requests with invalid credentials. Check your token.'],
  failed_logins: ['rate_limited', 'Too many failed logins. Wait before you try again.'],
  wrong_codes: ['rate_limited', 'Too many wrong codes. Use a recovery code, or try again later.'],
  owners_only: ['registration_closed', 'In this installation, only users who own a workspace can create more.'],
  closed: ['registration_closed', 'Registration is closed. Ask the operator of this installation for an account.'],
  needs_https: [
    'insecure_origin',
    'Open the console over HTTPS, or at a loopback address such as http://127.0.0.1:3000.',
  ],
  other_origin: ['insecure_origin', 'Only the console at the origin of this API can log in this way.'],
  'other_origin:page': ['insecure_origin', 'Pages of this origin cannot use this endpoint. See CORS_ORIGINS.'],
  needs_single_sign_on: [
    'stronger_login_required',
    'This workspace requires single sign-on. Log out, then log in with single sign-on.',
  ],
  needs_second_factor: [
    'stronger_login_required',
    'This workspace requires a second factor. Set one up, or confirm your identity with a code.',
  ],
  part_down: ['unavailable', 'The {part} is not available. Try again in a few seconds.'],
  single_sign_on_down: ['unavailable', 'Single sign-on is not available. Try again later.'],
  server_busy: ['unavailable', 'The server has too many large requests or unread responses. Try again later.'],
  disk_full: ['unavailable', "The server's disk is full. Try again later."],
  not_redacted: ['unavailable', 'The conversation was not stored, because it could not be redacted: {problem}.'],
  accepted: [
    'unavailable',
    'The conversation is accepted as {session} and will be analyzed. Read the session in a few seconds.',
  ],
  not_started: [
    'unavailable',
    'The session could not be started, or was deleted. Submit the conversation again in a few seconds.',
  ],
  unread: [
    'unavailable',
    'The request succeeded, but you have too many unread responses. Read some, then read the session {session}.',
  ],
} as const satisfies Record<string, readonly [ErrorCode, string]>;

/** By code: the sentences of codes that tell clients enough. Their problems have no reason. */
export const DETAILS = {
  'unauthorized:no_token': 'Send a valid token as "Authorization: Bearer <API_TOKEN>".',
  'unauthorized:mcp': 'Send a token as "Authorization: Bearer <API_TOKEN>".',
  'unauthorized:ended': 'This login has ended or expired. Log in again.',
  'unauthorized:unused':
    'This API token is not accepted: its creator was disabled or left the workspace, or the workspace is disabled.',
  'unauthorized:expired': 'This API token expired at {time}. Create a new one.',
  'unauthorized:revoked': 'This API token was revoked at {time}. Create a new one.',
  'unauthorized:login': 'Invalid email or password.',
  'unauthorized:deleted': 'This account is deleted.',
  'unauthorized:disabled': 'This account is disabled.',
  'unauthorized:access_lost': 'You lost access to this workspace, or your role changed, during this request.',
  'second_factor_required:repeat': 'Repeat the request with the `code` of your second factor.',
  'second_factor_required:send': 'Send the `code` of your second factor.',
  'insufficient_scope:token': 'This token lacks the scope {scope}[, which {field} needs].',
  'insufficient_scope:role': 'Your role in this workspace, {role}, does not include {scope}[, which {field} needs].',
  no_workspace: 'You are not a member of a workspace. Create or join one.',
  groups_not_allowed: 'In this workspace, groups give no roles. Ask the operator to add it to OIDC_GROUP_WORKSPACES.',
  password_login_off: 'Log in with single sign-on.',
  'not_a_person:workspace':
    'This token acts for its workspace, not for you. Use a login, or a token of your default workspace.',
  not_a_person: "API tokens can't do this. Log in instead.",
  proof_required: 'Confirm your identity with POST /v1/auth/proof, then repeat this request.',
  method_not_allowed: 'This path supports {methods}.',
  'request_timeout:headers': 'The request did not arrive in time.',
  'request_timeout:body': 'The body did not arrive in time.',
  'request_timeout:idle': 'Nothing arrived for {seconds} seconds.',
  'email_taken:registration': 'An account with this email address exists. Log in instead.',
  'email_taken:change': 'Another account has this email address.',
  precondition_failed: 'The resource has changed since you read it. Read it again, then repeat the change.',
  'payload_too_large:body': 'The body is larger than {max} bytes.',
  'payload_too_large:file': 'The file {problem}.',
  'payload_too_large:recording': 'The recording {problem}.',
  'payload_too_large:conversation': "The conversation can't be redacted: {problem}.",
  'unsupported_media_type:compressed': 'Compressed bodies are not supported. Send the body without Content-Encoding.',
  'unsupported_media_type:json': 'Send the body as JSON with Content-Type: application/json.',
  'unsupported_media_type:charset': 'Send the JSON in UTF-8.',
  'unsupported_media_type:compressed_form': 'Send the form without Content-Encoding.',
  'unsupported_media_type:form': 'Send the body as multipart/form-data.',
  'unsupported_media_type:file': 'The file {problem}.',
  'malformed_request:incomplete': 'The body did not arrive completely.',
  'malformed_request:empty': 'The body is empty. Send a JSON object.',
  'malformed_request:utf8': 'The body is not valid UTF-8.',
  'malformed_request:json': 'The body is not valid JSON.',
  'malformed_request:deep': 'The body is nested deeper than {max} levels.',
  'malformed_request:form': 'The body is not complete multipart/form-data.',
  'malformed_request:boundary': 'The Content-Type has no valid boundary.',
  'malformed_request:http': 'This is not a valid HTTP/1.1 request.',
  range_not_satisfiable: 'The recording has {bytes} bytes. The range is beyond its end.',
  misdirected_request:
    'The server refuses the host name of this request. Use another name of the server, or add this one to ALLOWED_HOSTS.',
  'validation_failed:one': 'One field is not valid.',
  validation_failed: '{count} fields are not valid.',
  idempotency_key_reused:
    'This Idempotency-Key was used for another request within 24 hours. Send a new key with a new request.',
  headers_too_large: 'The headers are larger than 16 KiB.',
  internal_error: 'An internal error occurred.',
  mail_unavailable: 'This installation sends no emails. Ask its operator for help.',
  budget_exceeded:
    'The {stage} did not start: monthly budget reached. Raise it with PATCH /user/me, then retry the session.',
  audio_unreachable: 'The recording could not be fetched: {problem}.',
  audio_rejected: 'The recording could not be fetched: {problem}.',
  provider_failed: 'The {stage} failed: {problem}.',
  'internal_error:session': 'The {stage} ended without a result: {problem}.',
} as const satisfies DetailTable;

type DetailTable = Partial<Record<ErrorCode | `${ErrorCode}:${string}`, string>>;

type Problems = typeof PROBLEMS;
type Details = typeof DETAILS;
export type ProblemReason = CodeOf<keyof Problems>;
export type ProblemKey = keyof Problems | keyof Details;
export type ParamsOfProblem<Key extends ProblemKey> = ParamsIn<
  Key extends keyof Problems ? Problems[Key][1] : Key extends keyof Details ? Details[Key] : never
>;

/** What a problem says, in English and for programs. */
export interface ProblemSaid {
  code: ErrorCode;
  detail: string;
  reason?: ProblemReason;
  params?: Params;
}

const sentenceOf = (key: ProblemKey): string =>
  key in PROBLEMS ? PROBLEMS[key as keyof Problems][1] : DETAILS[key as keyof Details];

/** Returns whether the sentence has parameters. */
export const hasParams = (key: ProblemKey): boolean => sentenceOf(key).includes('{');

/** Returns what a problem says: `sayProblem('batches_limit', { max: 5 })`. */
export function sayProblem<Key extends ProblemKey>(key: Key, ...given: ParamsOfProblem<Key>): ProblemSaid {
  const { message: detail, code: name, ...params } = say(key, sentenceOf(key), ...given);
  if (!(key in PROBLEMS)) return { code: name as ErrorCode, detail };
  return { code: PROBLEMS[key as keyof Problems][0], detail, reason: name as ProblemReason, ...params };
}

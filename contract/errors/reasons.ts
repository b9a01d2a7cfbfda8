/** The sentences of problems and of failed sessions by reason. The API sends the reason, so that the console can word it. */
import { messageReader } from './message-reader.ts';

/** What the details of problems say. A code whose details all say the same has no reasons. */
const OF_PROBLEMS = {
  no_resource: ['No {resource} in your workspace has this ID.', 'This path does not exist.'],
  just_deleted: ['The resource was deleted during the request.'],
  no_workspace_access: [
    'You are not a member of a workspace with this ID, or your API token belongs to another workspace.',
  ],
  no_console_login: ["This request does not have the console's cookie."],
  no_recording: ['This session has no recording, or the recording was removed.'],
  no_transcript: [
    'This session has no transcript.',
    'This session has no transcript yet.',
    'This session has no transcript to analyze.',
  ],
  no_single_sign_on: ['This installation has no single sign-on.'],
  sign_in_expired: ['This sign-in has expired. Sign in again.'],
  invitation_ended: ['This invitation has expired, or was accepted or revoked.'],
  other_invitee: ['This invitation is for {email}, and your address is {own}.'],
  email_unverified: ['Verify your email address first.', 'Verify your present email address first.'],
  password_changed: ['The password was changed by another request. Log in with the new one.'],
  no_second_factor: ['Set up a second factor first.'],
  second_factor_on: ['The second factor is already on.', 'The second factor is already on. Turn it off first.'],
  only_login: ['This is your only way to log in. Set a password first.'],
  identity_taken: ['This single sign-on belongs to another account.'],
  not_a_login: ['This is an API token, not a login. Revoke it at /v1/keys/{key_id}.'],
  token_rolled: ['This API token was rolled already. Roll its successor, or create a token.'],
  last_owner: ['Appoint another owner of {workspaces} first.'],
  attempt_running: ['An attempt of this delivery is running or about to start.'],
  delivery_pending: ['This delivery is still pending. Retry it now, or stop it first.'],
  delivery_ended: ['This delivery has already ended.', 'This delivery is {status}. Redeliver it instead.'],
  delivery_lost: ['The workflow of this delivery is not running. Try again in a minute.'],
  batch_ended: ['This batch has already ended, or is being canceled.', 'This batch has ended or is being canceled.'],
  not_reanalyses: [
    'Only batches of reanalyses are compared with reviews.',
    'Only batches of reanalyses have a comparison.',
  ],
  not_failed: ['Only failed sessions can be retried. This one is {status}.'],
  not_completed: ['Only completed sessions can be reviewed. This one is {status}.'],
  session_ended: ['The session has already ended with the status {status}.'],
  session_running: ['The session is running. Set its roles when it has ended.'],
  is_reanalysis: ['This session is a reanalysis. Review its original, {original}.'],
  has_roles: ['The speakers of a text session are already in its turns.'],
  no_times: ['This transcript has no times, which the format {format} requires. Use txt or json.'],
  assistant_deleted: ['The assistant of this session is deleted.'],
  recording_removed: ['The recording of this session was removed, and there is no transcript.'],
  url_removed: ['The URL of the recording was deleted. Send audio_url.'],
  url_not_needed: ['Send audio_url only if the download of the recording failed.'],
  originals_locked: ["The originals of this session can't be decrypted. Their key is not in ENCRYPTION_KEYS."],
  assistants_limit: ['Limit of {max} assistants reached. Delete one first.'],
  prompts_limit: [
    'Limit of {max} MB for the prompts and fields of all assistants reached. Shorten or delete some first.',
  ],
  batches_limit: ['Limit of {max} running batches reached. Cancel one first.'],
  tokens_limit: ['Limit of {max} API tokens reached. Revoke one first.'],
  members_limit: ['Limit of {max} members reached.'],
  invitations_limit: ['Limit of {max} open invitations reached. Revoke one first.'],
  workspaces_limit: ['Limit of {max} workspaces that you own reached. Delete one first.'],
  text_limit: ['Limit of {max} MiB for your conversations reached. Delete sessions first.'],
  recordings_limit: ['This recording would exceed the limit of {max} MiB for your recordings. Delete sessions first.'],
  sessions_limit: ['Limit of {max} unfinished sessions reached. Try again in {seconds} seconds.'],
  exports_limit: ['Limit of {max} running exports reached. Wait until one is complete.'],
  streams_limit: ['Limit of {max} event streams reached. Close one.'],
  requests_limit: ['Too many requests. Try again in {seconds} seconds.'],
  requests_at_once: [
    'Too many requests at once. Wait for some responses first.',
    'Too many large requests or unread responses at once. Read some responses first.',
  ],
  invalid_credentials: ['Too many requests with invalid credentials. Check your token.'],
  failed_logins: ['Too many failed logins. Wait before you try again.'],
  wrong_codes: ['Too many wrong codes. Use a recovery code, or try again later.'],
  owners_only: ['In this installation, only users who own a workspace can create more.'],
  closed: ['Registration is closed. Ask the operator of this installation for an account.'],
  needs_https: ['Open the console over HTTPS, or at a loopback address such as http://127.0.0.1:3000.'],
  other_origin: [
    'Only the console at the origin of this API can log in this way.',
    'Pages of this origin cannot use this endpoint. See CORS_ORIGINS.',
  ],
  needs_single_sign_on: ['This workspace requires single sign-on. Log out, then log in with single sign-on.'],
  needs_second_factor: ['This workspace requires a second factor. Set one up, or confirm your identity with a code.'],
  part_down: ['The {part} is not available. Try again in a few seconds.'],
  single_sign_on_down: ['Single sign-on is not available. Try again later.'],
  server_busy: ['The server has too many large requests or unread responses. Try again later.'],
  disk_full: ["The server's disk is full. Try again later."],
  not_redacted: ['The conversation was not stored, because it could not be redacted: {problem}.'],
  accepted: ['The conversation is accepted as {session} and will be analyzed. Read the session in a few seconds.'],
  not_started: ['The session could not be started, or was deleted. Submit the conversation again in a few seconds.'],
  unread: [
    'The request succeeded, but you have too many unread responses. Read some, then read the session {session}.',
  ],
} as const satisfies Record<string, readonly string[]>;

/** Why calls, steps and downloads fail. `{name}` is the provider, or the host of the recording. */
const OF_FAILURES = {
  key_refused: [
    '{name} refused the API key[ (HTTP {status})]: check {setting} or {other}',
    '{name} refused the API key[ (HTTP {status})]: check {setting}',
  ],
  not_configured: ['{name} is not configured: set {setting}'],
  request_refused: ['{name} refused the request as invalid[ (HTTP {status})]'],
  content_declined: [
    '{name} declined to process this content[ (HTTP {status})]: change the instructions or choose another model',
  ],
  model_not_offered: ['{name} does not offer this model[ (HTTP {status})]: choose another one for the assistant'],
  too_many_calls: ['{name} received too many calls[ (HTTP {status})]'],
  recognizer_down: ['The recognizer is not available'],
  not_available: ['{name} is not available[ (HTTP {status})]'],
  no_response: ['{name} did not respond in time[ (HTTP {status})]'],
  unreachable: ['{name} could not be reached'],
  unreadable: ['{name} returned a response that could not be read'],
  incomplete: ['{name} returned an incomplete response[ (HTTP {status})]: retry the session or choose another model'],
  no_content: ['{name} returned no content'],
  unreadable_json: ['{name} returned JSON that cannot be read: retry the session or choose another model'],
  no_summary: ['{name} returned JSON without a summary: retry the session or choose another model'],
  prose: ['{name} returned text instead of JSON, such as a refusal: change the instructions or choose another model'],
  prompt_too_long: [
    '{name} refused the prompt as too long[ (HTTP {status})]: shorten it or choose a model with a larger context',
  ],
  prompt_cut: ['{name} read {read} of at least {least} tokens of the prompt: set a larger context on the server'],
  answer_too_long: ['{name} was cut off at {max} tokens of output'],
  answer_cut: ['{name} ended its answer in the middle: retry the session or choose another model'],
  recording_too_large: [
    '{name} refused the recording as too large[ (HTTP {status})]: send it in parts or choose another model',
  ],
  not_transcribed: ['{name} could not transcribe this audio'],
  other_channels: ['{name} found {count} channels in the recording, and channel_roles name {named}'],
  no_credit: [
    '{name} has no credit left for this account[ (HTTP {status})]: add credit or raise the spending limit, then retry',
  ],
  budget_reached: ['Monthly budget reached. Raise it, then retry.'],
  installation_budget_reached: ['Monthly budget of this installation reached.'],
  redaction_failed: ['the conversation could not be redacted: {problem}'],
  workers_lost: ['the step was stopped: {count} workers in a row stopped responding during it'],
  no_worker: ['no worker finished the step in time'],
  step_failed: ['the step failed unexpectedly', 'the call failed unexpectedly'],
  call_canceled: ['the call was canceled before the provider responded'],
  run_terminated: ['the workflow of this session was terminated or timed out'],
  fetch_url_locked: [
    '{name} cannot be called, because the stored URL cannot be decrypted; retry the session with the URL',
  ],
  fetch_too_slow: ['{name} did not send the recording within an hour'],
  fetch_not_stored: ['{name} sent a recording, but storing it failed'],
  fetch_disk_full: ['{name} sent a recording, but the disk is full'],
  fetch_over_limit: ['{name} sent a recording that exceeds the storage limit; delete sessions, then retry'],
  fetch_too_large: [
    '{name} has a recording of more than {max} bytes',
    '{name} returned a file that is larger than {max} bytes',
  ],
  fetch_page: ['{name} returned a web page instead of a recording; check that the URL works without a login'],
  fetch_empty: ['{name} returned a file that is empty', '{name} returned a file that contains no sound'],
  fetch_silent: ['{name} returned a file that has no sound, or less than {min} s of it'],
  fetch_too_long: [
    "{name} returned a file that is {length} s long; the assistant's speech-to-text model accepts {max} s",
  ],
  fetch_other_type: ['{name} returned a file that is {type}; {model} accepts {types}'],
  fetch_unfit: ['{name} returned a file that {problem}'],
  fetch_redirect: ['{name} sent a redirect that is not followed'],
  fetch_cut_off: ['{name} closed the connection before the recording was complete'],
  fetch_no_address: ['{name} has no address, or its name servers do not respond'],
  fetch_closed: ['{name} closed the connection without a response'],
  fetch_invalid: ['{name} sent a response that is not valid HTTP/1.1'],
  fetch_tls: ['{name} has no valid TLS certificate'],
  fetch_blocked: ['{name} or a redirect has an address that is not allowed'],
  fetch_status: ['{name} responded with HTTP {status}'],
} as const satisfies Record<string, readonly string[]>;

export const REASON_MESSAGES = { ...OF_PROBLEMS, ...OF_FAILURES };

export type Reason = keyof typeof REASON_MESSAGES;
export const REASONS = Object.keys(REASON_MESSAGES) as [Reason, ...Reason[]];

const read = messageReader<Reason>(REASON_MESSAGES);

/** Returns the reason and the parameters of a sentence; undefined for a sentence without a reason. */
export function reasonOf(sentence: string): { reason: Reason; params?: Record<string, string> } | undefined {
  const found = read(sentence);
  return found && { reason: found.code, ...(found.params && { params: found.params }) };
}

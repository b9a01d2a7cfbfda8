/**
 * Why requests, steps and downloads fail: every sentence by its reason. `{name}` is the provider, or the host of the recording.
 * Workflows load this file.
 */
import { say, type CodeOf, type Given, type Params, type ParamsIn } from './sentence.ts';

export const FAILURES = {
  key_refused: '{name} refused the API key[ (HTTP {status})]: check {setting}[ or {other}]',
  not_configured: '{name} is not configured: set {setting}',
  region_refused:
    '{name} does not serve the country or region of this server[ (HTTP {status})]: choose another provider, or set {setting} to an address that does',
  no_api: '{name} has no API at this address[ (HTTP {status})]: check {setting}, such as a missing /v1',
  other_server:
    '{name} could not be reached, because a proxy or another server responded[ (HTTP {status})]: check {setting} and HTTPS_PROXY',
  request_refused: '{name} refused the request as invalid[ (HTTP {status})]',
  'request_refused:named':
    '{name} refused the request as invalid[ (HTTP {status})]: see the code and the parameter in the timeline',
  content_declined:
    '{name} declined to process this content[ (HTTP {status})]: change the instructions or choose another model',
  model_not_offered: '{name} does not offer this model[ (HTTP {status})]: choose another one for the assistant',
  too_many_calls: '{name} received too many requests[ (HTTP {status})]',
  recognizer_down: 'The recognizer is not available',
  not_available: '{name} is not available[ (HTTP {status})]',
  no_response: '{name} did not respond in time[ (HTTP {status})]',
  unreachable: '{name} could not be reached',
  unreadable: '{name} returned a response that could not be read',
  'unreadable:transcript': '{name} returned a response that could not be read: check {setting} and the server',
  incomplete: '{name} returned an incomplete response[ (HTTP {status})]: retry the session or choose another model',
  no_content: '{name} returned no content',
  unreadable_json: '{name} returned JSON that cannot be read: retry the session or choose another model',
  no_summary: '{name} returned JSON without a summary: retry the session or choose another model',
  prose: '{name} returned text instead of JSON, such as a refusal: change the instructions or choose another model',
  prompt_too_long:
    '{name} refused the prompt as too long[ (HTTP {status})]: shorten it or choose a model with a larger context',
  'prompt_too_long:rate':
    '{name} refused the prompt as too long[ (HTTP {status})]: shorten it, or raise the tokens per minute of the account',
  prompt_cut: '{name} read {read} of at least {least} tokens of the prompt: set a larger context on the server',
  answer_too_long: '{name} was cut off at {max} tokens of output',
  answer_cut: '{name} ended its response in the middle: retry the session or choose another model',
  recording_too_large:
    '{name} refused the recording as too large[ (HTTP {status})]: send it in parts or choose another model',
  'recording_too_large:rate':
    '{name} refused the recording as too large[ (HTTP {status})]: send it in parts, or raise the limit of the account',
  unknown_job: '{name} does not know this job',
  not_transcribed: '{name} could not transcribe this audio',
  other_channels: '{name} found {count} channels in the recording, and channel_roles name {named}',
  no_credit:
    '{name} has no credit left for this account[ (HTTP {status})]: add credit or raise the spending limit, then retry',
  no_quota:
    '{name} has no quota left for this account until a later day[ (HTTP {status})]: wait, or raise the quota at the provider',
  budget_reached: 'Monthly budget reached. Raise it, then retry.',
  installation_budget_reached: 'Monthly budget of this installation reached.',
  redaction_failed: 'the conversation could not be redacted: {problem}',
  workers_lost: 'the step was stopped: {count} workers in a row stopped responding during it',
  no_worker: 'no worker finished the step in time',
  step_failed: 'the step failed unexpectedly',
  'step_failed:call': 'the request failed unexpectedly',
  call_canceled: 'the request was canceled before the provider responded',
  run_terminated: 'the workflow of this session was terminated or timed out',
  fetch_url_locked:
    '{name} received no request, because the stored URL cannot be decrypted; retry the session with the URL',
  fetch_too_slow: '{name} did not send the recording within an hour',
  fetch_not_stored: '{name} sent a recording, but storing it failed',
  fetch_disk_full: '{name} sent a recording, but the disk is full',
  fetch_over_limit: '{name} sent a recording that exceeds the storage limit; delete sessions, then retry',
  fetch_too_large: '{name} has a recording of more than {max} bytes',
  'fetch_too_large:file': '{name} returned a file that is larger than {max} bytes',
  'fetch_too_large:limit':
    '{name} has a recording of more than {mb} MB ({max} bytes), the limit of {whose}: send MP3 or Opus, or shorter recordings[, or use {others}]',
  fetch_page: '{name} returned a web page instead of a recording; check that the URL works without a login',
  fetch_empty: '{name} returned a file that is empty',
  'fetch_empty:no_track': '{name} returned a file that contains no sound',
  fetch_silent: '{name} returned a file that has no sound, or less than {min} s of it',
  fetch_too_long:
    "{name} returned a file that is {length} s long; the assistant's speech-to-text model accepts {max} s",
  fetch_other_type: '{name} returned a file that is {type}; {model} accepts {types}',
  fetch_unfit: '{name} returned a file that {problem}',
  fetch_redirect: '{name} sent a redirect that is not followed',
  fetch_cut_off: '{name} closed the connection before the recording was complete',
  fetch_no_address: '{name} has no address, or its name servers do not respond',
  fetch_closed: '{name} closed the connection without a response',
  fetch_invalid: '{name} sent a response that is not valid HTTP/1.1',
  fetch_tls: '{name} has no valid TLS certificate',
  fetch_blocked: '{name} or a redirect has an address that is not allowed',
  fetch_status: '{name} responded with HTTP {status}',
  fetch_expired:
    '{name} responded with HTTP {status}: the link may have expired. Retry the session with a new link, and make links valid for 24 hours',
} as const satisfies Record<string, string>;

type Sentences = typeof FAILURES;
export type FailureKey = keyof Sentences;
export type FailureReason = CodeOf<FailureKey>;

/** Why something failed: the key of a sentence, then its parameters if it has any. */
export type Failure = { [Key in FailureKey]: [key: Key, ...ParamsIn<Sentences[Key]>] }[FailureKey];

type WithoutName<Params extends unknown[]> = Params extends [infer Given]
  ? object extends Omit<Given, 'name'>
    ? [params?: Omit<Given, 'name'>]
    : [params: Omit<Given, 'name'>]
  : [];

/** A failure whose name is not known yet: `['answer_too_long', { max: 2_000 }]`. */
export type UnnamedFailure = {
  [Key in FailureKey]: [key: Key, ...WithoutName<ParamsIn<Sentences[Key]>>];
}[FailureKey];

/** Why a request, step or download failed, in English and for programs. Stored errors have these members. */
export interface FailureSaid {
  message: string;
  reason: FailureReason;
  params?: Params;
}

/** Returns why something failed: `failure('no_worker')`. */
export const failure = (...fault: Failure): FailureSaid => sayFailure(fault);

/** @param name of the provider, or the host of the recording. */
export const failureOf = (name: string, ...[key, params]: UnnamedFailure): FailureSaid =>
  sayFailure([key, { ...params, name }]);

function sayFailure([key, given]: [FailureKey, Given?]): FailureSaid {
  const { code: reason, ...said } = say(key, FAILURES[key], given);
  return { ...said, reason };
}

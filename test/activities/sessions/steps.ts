/** Runs the steps of a session without a worker. */
import type { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createBulkhead } from '../../../activities/bulkhead.ts';
import {
  createAnalyzeConversation,
  type AnalyzeConversationDeps,
} from '../../../activities/sessions/analyze-conversation.ts';
import { createTranscribeAudio, type TranscribeAudioDeps } from '../../../activities/sessions/transcribe-audio.ts';
import type { StepInput } from '../../../contract/workflows.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import { testAudioStore } from '../../support/audio.ts';
import { redactionDeps } from '../../support/redaction.ts';
import { UNLIMITED } from './analysis.ts';

export const newEnvironment = (logger = new DefaultLogger('ERROR')) => new MockActivityEnvironment({}, { logger });

/** Returns the activity with these dependencies. Without a client, it starts no alerts. */
export const analysisWith = (deps: Partial<AnalyzeConversationDeps> = {}) =>
  createAnalyzeConversation({
    ...UNLIMITED,
    ...redactionDeps(),
    llm: {} as never,
    retryWindowMs: 600_000,
    largeConversations: createBulkhead(8, 'large conversations'),
    client: {} as Client,
    publicUrl: undefined,
    ...deps,
  });

export const transcriptionWith = (deps: Partial<TranscribeAudioDeps> = {}) =>
  createTranscribeAudio({
    ...UNLIMITED,
    ...redactionDeps(),
    stt: {} as never,
    audio: testAudioStore(),
    retryWindowMs: 600_000,
    sttTimeoutMs: 60_000,
    ...deps,
  });

/** Runs an activity for a session. */
export const runStep = <O>(
  { id: session_id, type = 'text' }: Pick<SessionModel, 'id'> & { type?: SessionModel['type'] },
  activity: (input: StepInput) => Promise<O>,
  environment = newEnvironment(),
): Promise<O> =>
  environment.run(activity, { session_id, type, caller: { payer: 'a', is_awaited: false } }) as Promise<O>;

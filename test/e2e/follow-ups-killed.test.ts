import { WORKFLOWS } from '../../contract/workflows.ts';
import { PROVIDERS } from '../../contract/values/providers.ts';
import { ProviderCallModel } from '../../db/models/provider-call.ts';
import { SessionModel } from '../../db/models/session.ts';
import { standInEnvironment } from '../../local/stand-ins/environment.ts';
import { startStandIns } from '../../local/stand-ins/server.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createOwner } from '../support/factories.ts';
import { useTestApi } from '../support/set-up.ts';
import { testTemporal } from '../support/temporal.ts';
import type { StartedProcess } from '../support/started-service.ts';
import { useStarted } from '../support/use-started.ts';
import { addVoiceAssistant, submitVoice } from '../support/voice.ts';
import { endWorkerProcess, startWorkerProcess } from '../support/worker-process.ts';

const RECORDINGS = Number(process.env['FOLLOW_UP_RECORDINGS'] ?? 60);
const ASSISTANTS = Number(process.env['FOLLOW_UP_ASSISTANTS'] ?? 2);
const KILLS = Number(process.env['FOLLOW_UP_KILLS'] ?? 3);
/** Temporal detects a dead worker after 15 s in a step, and starts of workflows that were lost after a minute. */
const RECOVERY_TIMEOUT_MS = 600_000;

describe('Follow-ups and kill -9 of the worker', function () {
  this.timeout(0);
  const api = useTestApi();
  const standIns = useStarted(() => startStandIns());
  let worker: StartedProcess | undefined;
  after(() => endWorkerProcess(worker));

  it('pay for each recording once, and store and complete each follow-up once', async () => {
    const { token, user } = await createOwner();
    const workspaceId = user.default_workspace_id;
    const next = await Promise.all(Array.from({ length: ASSISTANTS }, () => createAssistant(workspaceId)));
    const follow_ups = next.map(({ id }) => ({ assistant_id: id }));
    const { id: assistantId } = await addVoiceAssistant(api, token, { follow_ups });
    const start = async () => {
      worker = await startWorkerProcess(standInEnvironment(PROVIDERS, standIns.url));
    };
    // The tests of a server share its schedules, which are paused. This one sweeps what a killed worker did not start.
    await (await testTemporal()).temporal.client.schedule.getHandle(WORKFLOWS.sweepLostSessions).unpause();
    await start();
    const request = { token, assistantId, headers: { Prefer: 'respond-async' } };
    const firsts: string[] = [];
    for (let sent = 0; sent < RECORDINGS; sent++) firsts.push((await submitVoice(api, request)).session_id);
    const ofFirsts = () => SessionModel.query().whereIn('first_session_id', firsts);
    const all = RECORDINGS * ASSISTANTS;
    for (let kill = 1; kill <= KILLS; kill++) {
      const reached = Math.floor((all * kill) / (KILLS + 1));
      await eventually(
        () => ofFirsts().resultSize(),
        (count) => count >= reached,
        RECOVERY_TIMEOUT_MS,
        20,
      );
      worker?.signal('SIGKILL');
      await worker?.ended;
      await start();
    }
    await eventually(() => ofFirsts().where({ status: 'completed' }).resultSize(), all, RECOVERY_TIMEOUT_MS);
    const pairs = await ofFirsts().select('first_session_id', 'assistant_id').distinct();
    expect([pairs.length, await ofFirsts().resultSize()]).to.deep.equal([all, all]);
    expect(await SessionModel.query().whereIn('id', firsts).where({ status: 'completed' }).resultSize()).to.equal(
      RECORDINGS,
    );
    const paid = await ProviderCallModel.query()
      .where({ workspace_id: workspaceId, status: 'succeeded' })
      .select('step', ProviderCallModel.raw('count(*)::int as calls'))
      .groupBy('step')
      .orderBy('step');
    expect(paid).to.deep.equal([
      { step: 'analysis', calls: RECORDINGS + all },
      { step: 'transcription', calls: RECORDINGS },
    ]);
  });
});

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { listSessionDeliveries } from '../../contract/deliveries.ts';
import { submitTextRequest } from '../../contract/requests.ts';
import { getSession, getSessionAudio } from '../../contract/sessions.ts';
import { backUpFolder, restoreFolder } from '../../local/backup/folder.ts';
import { StartError } from '../../runtime/process.ts';
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { runCommand } from '../support/run-command.ts';
import { addAssistant, newDirectory, register, removeDirectories, startService } from '../support/started-service.ts';
import type { TestService } from '../support/started-service.ts';
import { addVoiceAssistant, submitVoice } from '../support/voice.ts';

/** Runs the command as an operator does. */
const run = (name: 'backup' | 'restore', folder: string, DATA_DIR: string) =>
  runCommand(process.execPath, [fileURLToPath(new URL(`../../local/backup/run-${name}.ts`, import.meta.url)), folder], {
    DATABASE_URL: '',
    DATA_DIR,
  });

/** Returns the sentence that the work was refused with. */
async function refusalOf(work: Promise<void>): Promise<string> {
  const reason = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(reason).to.be.instanceOf(StartError);
  return (reason as StartError).message;
}

/** How long vendors take: long enough that every moment finds sessions in all states. */
const PACE_MS = 100;

const silent = () => undefined;

describe('A copy of npm start, taken under load', () => {
  let receiver: Receiver;
  let service: TestService;
  let directory: string;
  let copy: string;
  let token: string;
  /** Accepted before the copy was begun. */
  let acceptedBefore: string[];
  let call: string;

  before(async function () {
    this.timeout(0);
    receiver = await startReceiver();
    directory = newDirectory();
    copy = join(newDirectory(), 'copy');
    service = await startService(directory);
    ({ token } = await register(service));
    const webhook = { webhook_url: receiver.url };
    const { id: assistant_id } = await addAssistant(service, token, webhook);
    const { id: assistantId } = await addVoiceAssistant(service, token, { stt_provider: 'whisper', ...webhook });
    call = (await submitVoice(service, { token, assistantId })).session_id;

    const accepted: string[] = [];
    let isOver = false;
    const submitting = (async () => {
      for (let number = 0; !isOver; number++) {
        const text = `[vendor delay_ms=${(number % 20) * PACE_MS}]`;
        const body = { assistant_id, conversation: [{ role: 'client', text }] };
        const headers = { Prefer: 'respond-async' };
        accepted.push((await send(service, submitTextRequest, { token, headers, body })).body.session_id);
        await sleep(PACE_MS);
      }
    })();
    await eventually(
      () => ({ posts: receiver.requests.length, submitted: accepted.length }),
      ({ posts, submitted }) => posts >= 5 && submitted > 5,
    );
    acceptedBefore = [...accepted];
    const { code, errors } = await run('backup', copy, directory);
    expect(code, errors).to.equal(0);
    await sleep(10 * PACE_MS);
    isOver = true;
    await submitting;
    await service.crash();
  });
  after(async function () {
    this.timeout(0);
    await service.stop();
    await receiver.stop();
    removeDirectories();
  });

  /** Returns a data directory that has the keys and nothing else. */
  function withKeys(secrets = readFileSync(join(directory, 'secrets.json'), 'utf8')): string {
    const target = newDirectory();
    writeFileSync(join(target, 'secrets.json'), secrets);
    return target;
  }

  it('is refused where it would overwrite something, where the keys are others, and where it is not whole', async function () {
    this.timeout(0);
    const restore = (from: string, target: string) => refusalOf(restoreFolder({ DATA_DIR: target }, from, silent));
    const full = withKeys();
    mkdirSync(join(full, 'postgres'));
    expect(await restore(copy, full)).to.include('is not empty (postgres)');

    const others = { jwt_secret: 'j'.repeat(32), encryption_key: Buffer.alloc(32).toString('base64') };
    const strange = withKeys(JSON.stringify({ ...others, postgres_password: 'p' }));
    expect(await restore(copy, strange)).to.include('sealed with other keys');
    expect(await restore(copy, newDirectory())).to.include('secrets.json is missing');

    const damaged = join(newDirectory(), 'copy');
    cpSync(copy, damaged, { recursive: true });
    rmSync(join(damaged, 'temporal.db'));
    expect(await restore(damaged, withKeys())).to.include('temporal.db changed');

    const newer = JSON.parse(readFileSync(join(copy, 'manifest.json'), 'utf8')) as { migrations: string[] };
    newer.migrations.push('2999-01-01-newer');
    writeFileSync(join(damaged, 'manifest.json'), JSON.stringify(newer));
    expect(await restore(damaged, withKeys())).to.include('made by a newer release');

    expect(await refusalOf(backUpFolder({ DATA_DIR: directory }, copy, silent))).to.include('is not empty');
  });

  it('holds no key', () => {
    const { encryption_key } = JSON.parse(readFileSync(join(directory, 'secrets.json'), 'utf8')) as Record<
      string,
      string
    >;
    expect(readFileSync(join(copy, 'manifest.json'), 'utf8')).not.to.include(encryption_key);
  });

  it('brings back all that was accepted before it, and posts nothing again that it recorded as delivered', async function () {
    this.timeout(0);
    const target = withKeys();
    const { code, errors } = await run('restore', copy, target);
    expect(code, errors).to.equal(0);
    const postsBefore = receiver.requests.length;
    const restoredAt = Date.now();
    service = await startService(target);
    expect(acceptedBefore).to.have.length.greaterThan(5);
    for (const id of [call, ...acceptedBefore]) {
      const params = { id };
      const session = await eventually(
        async () => (await send(service, getSession, { token, params })).body,
        ({ completed_at }) => completed_at !== null,
        120_000,
      );
      expect(session.status, id).to.equal('completed');
      const { data } = await eventually(
        async () => (await send(service, listSessionDeliveries, { token, params })).body,
        ({ data: [delivery] }) => delivery?.status === 'delivered',
        120_000,
      );
      const wasDelivered = Date.parse(data[0]?.ended_at ?? '') < restoredAt;
      const posts = receiver.requests.slice(postsBefore).filter(({ body }) => body.includes(id));
      expect(posts, id).to.have.length(wasDelivered ? 0 : 1);
    }
    expect((await send(service, getSessionAudio, { token, params: { id: call } })).status).to.equal(200);
  });
});

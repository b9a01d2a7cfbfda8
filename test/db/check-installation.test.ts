import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkInstallation, checkNamespace, keepFirstKey } from '../../db/check-installation.ts';
import { SessionModel } from '../../db/models/session.ts';
import { createSecretBox } from '../../runtime/secrets/secrets.ts';
import { testConfig } from '../support/api.ts';
import { silentLog as log } from '../support/log.ts';
import { startWorkerProcess } from '../support/worker-process.ts';
import { testTemporal } from '../support/temporal.ts';

const newKey = () => randomBytes(32).toString('base64');
const newFolder = () => mkdtempSync(join(tmpdir(), 'recordings-'));

describe('A process of an installation', () => {
  const forget = () => SessionModel.knex()('installation').delete();
  const [old, fresh] = [newKey(), newKey()];
  let store: string;

  const start = (keys: string[], { folder = store, moved = false } = {}) => {
    const env = { ENCRYPTION_KEYS: keys.join(), AUDIO_STORE: folder, INSTALLATION_MOVED: String(moved) };
    return checkInstallation({ db: SessionModel.knex(), config: testConfig(env), log }).then(
      () => 'starts',
      (error: unknown) => String(error).split(/ (?:lacks|leads|belong|is) /)[0],
    );
  };

  beforeEach(async () => {
    await forget();
    store = newFolder();
    expect(await start([old])).to.equal('starts');
  });

  it('ends with the name of ENCRYPTION_KEYS if it lacks a key that encrypts stored secrets', async () => {
    expect(await start([fresh])).to.equal('StartError: ENCRYPTION_KEYS');
    expect(await start([fresh], { moved: true })).to.equal('starts');
    expect(await start([old])).to.equal('StartError: ENCRYPTION_KEYS');
  });

  it('starts in each step of a rotation of keys, and not before all secrets are encrypted with the new one', async () => {
    expect(await start([old, fresh])).to.equal('starts');
    expect(await start([old])).to.equal('starts');
    expect(await start([fresh, old])).to.equal('starts');
    expect(await start([old])).to.equal('StartError: ENCRYPTION_KEYS');
    expect(await start([fresh])).to.equal('StartError: ENCRYPTION_KEYS');
    await keepFirstKey(SessionModel.knex(), createSecretBox([fresh, old].map((key) => Buffer.from(key, 'base64'))));
    expect(await start([fresh])).to.equal('starts');
  });

  it('ends with the name of AUDIO_STORE if other processes have another folder, also if its path is the same', async () => {
    expect(await start([old], { folder: newFolder() })).to.equal('StartError: AUDIO_STORE');
    expect(await start([old])).to.equal('starts');
    const moved = newFolder();
    expect(await start([old], { folder: moved, moved: true })).to.equal('starts');
    expect(await start([old], { folder: moved })).to.equal('starts');
    expect(await start([old])).to.equal('StartError: DATABASE_URL and AUDIO_STORE');
  });

  it('ends with the name of DATABASE_URL if its database is new, but its recordings are those of others', async () => {
    await forget();
    expect(await start([old])).to.equal('StartError: DATABASE_URL and AUDIO_STORE');
    expect(await start([old], { moved: true })).to.equal('starts');
  });

  it('starts if the store does not work, and checks it the next time', async () => {
    expect(await start([old], { folder: '/dev/null/recordings' })).to.equal('starts');
    expect(await start([old], { folder: newFolder() })).to.equal('StartError: AUDIO_STORE');
  });

  it('ends with the name of TEMPORAL_NAMESPACE if the others use another one, and of TEMPORAL_ADDRESS for another server', async () => {
    const { temporal } = await testTemporal();
    const check = () => checkNamespace(SessionModel.knex(), temporal, log).catch(String);
    expect(await check()).to.equal(undefined);
    expect(await check()).to.equal(undefined);
    await SessionModel.knex()('installation').update({ temporal_namespace_id: 'of another server' });
    expect(await check()).to.match(/^StartError: TEMPORAL_ADDRESS /);
    await SessionModel.knex()('installation').update({ temporal_namespace: 'other' });
    expect(await check()).to.match(/^StartError: TEMPORAL_NAMESPACE .*, but the other processes use other: /);
  });

  it('starts on a read-only server, where it checks and writes nothing', async () => {
    const { temporal } = await testTemporal();
    await checkNamespace(SessionModel.knex(), temporal, log);
    await SessionModel.knex().raw('set default_transaction_read_only = on');
    expect(await start([old])).to.equal('starts');
    await checkNamespace(SessionModel.knex(), temporal, log);
    expect(await start([fresh])).to.equal('StartError: ENCRYPTION_KEYS');
    await SessionModel.knex().raw('set default_transaction_read_only = off');
  });

  it('prints one sentence and the way out, and ends with code 1', async () => {
    const worker = await startWorkerProcess({ ENCRYPTION_KEYS: fresh, AUDIO_STORE: store });
    expect(await worker.ended).to.include({ code: 1 });
    expect(worker.output()).to.match(/^ENCRYPTION_KEYS lacks a key [^\n]* INSTALLATION_MOVED=true\.\n$/);
  });
});

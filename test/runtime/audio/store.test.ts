import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { typeid } from 'typeid-js';
import { AudioMissingError, AudioStoreError, type AudioStore } from '../../../runtime/audio/store.ts';
import { createAudioStore } from '../../../runtime/audio/create-store.ts';
import { ConfigError } from '../../../runtime/settings/config.ts';
import { testConfig } from '../../support/api.ts';
import { putAudio, sha256 } from '../../support/audio.ts';
import { errorOf } from '../../support/error-of.ts';
import { newFolder } from '../../support/new-folder.ts';
import { startReceiver } from '../../support/receiver.ts';
import { startTestS3, type TestS3 } from '../../support/s3.ts';
import { useStarted } from '../../support/use-started.ts';

const BYTES = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
const newKey = () => typeid('sess').toString();
const never = new AbortController().signal;

async function* chunks(bytes: Buffer, fail?: () => void) {
  for (let at = 0; at < bytes.length; at += 10_000) {
    yield bytes.subarray(at, at + 10_000);
    if (at >= bytes.length / 2) fail?.();
  }
}

interface StoreUnderTest {
  store: AudioStore;
  /** Returns the names of all files and objects, including temporary files. */
  everything(): string[];
  setAge(key: string, time: Date): void;
  breakDown(): void;
}

const STORES: Record<string, (folder: string, s3: TestS3) => StoreUnderTest> = {
  folder(folder) {
    const directory = join(folder, 'audio');
    return {
      store: createAudioStore(testConfig({ AUDIO_STORE: directory }).audio),
      everything: () => filesIn(folder),
      setAge: (key, time) => utimesSync(join(directory, key), time, time),
      breakDown() {
        rmSync(directory, { recursive: true, force: true });
        writeFileSync(directory, '');
      },
    };
  },
  S3(folder, s3) {
    const env = { AUDIO_STORE: 's3://calls/prod', AUDIO_S3_ENDPOINT: s3.url };
    return {
      store: createAudioStore(testConfig(env).audio),
      everything: () => [...filesIn(folder), ...[...s3.objects.keys()].map((path) => path.replace('/calls/prod/', ''))],
      setAge: (key, time) => (s3.objects.get(`/calls/prod/${key}`)!.modified = time),
      breakDown: () => s3.failures.push(...Array<number>(20).fill(500)),
    };
  },
};

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? entry.name : []));

describe('Audio store', () => {
  for (const [name, create] of Object.entries(STORES)) {
    describe(name, () => {
      const temporary = process.env['TMPDIR'];
      let s3: TestS3;
      let folder: string;
      let under: StoreUnderTest;
      let store: AudioStore;
      beforeEach(async () => {
        s3 = await startTestS3();
        folder = newFolder();
        // The S3 store keeps temporary files there.
        process.env['TMPDIR'] = folder;
        under = create(folder, s3);
        store = under.store;
      });
      afterEach(async () => {
        if (temporary === undefined) delete process.env['TMPDIR'];
        else process.env['TMPDIR'] = temporary;
        await s3.stop();
      });

      const put = (key: string, bytes = BYTES) => putAudio(store, key, Readable.from(chunks(bytes)), never);

      it('returns a stored recording completely, in part and as a file, and keeps it if its use fails', async () => {
        const key = newKey();
        expect(await put(key)).to.deep.equal({ bytes: BYTES.length, sha256: sha256(BYTES) });
        expect(under.everything()).to.deep.equal([key]);
        expect((await buffer(await store.open(key))).equals(BYTES)).to.be.true;
        const part = await buffer(await store.open(key, { range: { start: 100, end: 199 } }));
        expect(part.equals(BYTES.subarray(100, 200))).to.be.true;
        expect(await store.useFile(key, async (path) => readFileSync(path).equals(BYTES))).to.be.true;
        const failure = new Error('no provider');
        expect(await errorOf(store.useFile(key, () => Promise.reject(failure)))).to.equal(failure);
        expect(under.everything()).to.deep.equal([key]);
      });

      it('hides a staged recording until it is kept, and removes a discarded one', async () => {
        const key = newKey();
        const staged = await store.stage(Readable.from(chunks(BYTES)), never);
        expect(readFileSync(staged.path).equals(BYTES)).to.be.true;
        expect(await errorOf(store.open(key))).to.be.instanceOf(AudioMissingError);
        await staged.keepAs(key);
        await staged.discard();
        expect(under.everything()).to.deep.equal([key]);
        await (await store.stage(Readable.from(chunks(BYTES)), never)).discard();
        expect(under.everything()).to.deep.equal([key]);
      });

      it('leaves nothing of an aborted or failed upload, and throws its reason', async () => {
        const broken = new Error('the line broke');
        const source = Readable.from(
          chunks(BYTES, () => {
            throw broken;
          }),
        );
        expect(await errorOf(putAudio(store, newKey(), source, never))).to.equal(broken);
        const controller = new AbortController();
        const aborted = Readable.from(chunks(BYTES, () => controller.abort(broken)));
        expect(await errorOf(putAudio(store, newKey(), aborted, controller.signal))).to.equal(broken);
        expect(await errorOf(putAudio(store, newKey(), Readable.from(chunks(BYTES)), controller.signal))).to.equal(
          broken,
        );
        expect(under.everything()).to.deep.equal([]);
      });

      it('distinguishes a missing recording from a failing store', async () => {
        const key = newKey();
        const use = async () => 'used';
        expect(await errorOf(store.open(key))).to.be.instanceOf(AudioMissingError);
        expect(await errorOf(store.useFile(key, use))).to.be.instanceOf(AudioMissingError);
        await store.remove(key);
        under.breakDown();
        expect(await errorOf(put(key))).to.be.instanceOf(AudioStoreError);
        expect(await errorOf(store.open(key))).to.be.instanceOf(AudioStoreError);
        expect(await errorOf(store.useFile(key, use))).to.be.instanceOf(AudioStoreError);
        expect(under.everything().filter((each) => each === key)).to.deep.equal([]);
      });

      it('removes one recording, and can repeat the removal', async () => {
        const [key, other] = [newKey(), newKey()];
        await put(key);
        await put(other);
        await store.remove(key);
        await store.remove(key);
        expect(under.everything()).to.deep.equal([other]);
      });

      it('lists the recordings before a time, and no other files', async () => {
        const keys = [newKey(), newKey(), newKey(), newKey(), newKey()];
        for (const key of keys) await put(key);
        const old = keys.slice(0, 4);
        for (const key of old) under.setAge(key, new Date(Date.now() - 3_600_000));
        const listed: string[] = [];
        for await (const key of store.listOlderThan(new Date(Date.now() - 60_000))) listed.push(key);
        expect(listed).to.have.members(old);
      });

      it('refuses a key that is not the ID of a session', async () => {
        for (const key of ['', '..', '../x', 'sess_1', `${newKey()}/x`, `/${newKey()}`, typeid('asst').toString()]) {
          expect(await errorOf(put(key)), key).to.be.instanceOf(TypeError);
          expect(await errorOf(store.open(key)), key).to.be.instanceOf(TypeError);
          expect(await errorOf(store.remove(key)), key).to.be.instanceOf(TypeError);
        }
        expect(under.everything()).to.deep.equal([]);
      });

      it('removes unfinished files of a dead process', async () => {
        const old = new Date(Date.now() - 3_600_000);
        for (const [parent, entry] of [
          ['audio', 'incoming/0d2f'],
          ['cas-audio-x1', 'audio'],
        ] as const) {
          mkdirSync(join(folder, parent, 'incoming'), { recursive: true });
          writeFileSync(join(folder, parent, entry), 'x');
          utimesSync(join(folder, parent, entry), old, old);
          utimesSync(join(folder, parent), old, old);
        }
        writeFileSync(join(folder, 'foreign'), 'x');
        utimesSync(join(folder, 'foreign'), old, old);
        const left = under.everything().length;
        await store.removeUnfinished(new Date(Date.now() - 60_000));
        expect(under.everything())
          .to.have.length(left - 1)
          .and.include('foreign');
      });
    });
  }

  describe('S3', () => {
    const s3 = useStarted(() => startTestS3());

    const settings = (env: Record<string, string>) => testConfig({ AUDIO_S3_ENDPOINT: s3.url, ...env });

    function storeWithin(idleMs: number, AUDIO_S3_ENDPOINT: string): AudioStore {
      const { audio } = settings({ AUDIO_STORE: 's3://calls', AUDIO_S3_ENDPOINT });
      if (audio.store.kind === 's3') audio.store.idleMs = idleMs;
      return createAudioStore(audio);
    }

    it('repeats a failed upload completely', async () => {
      const store = createAudioStore(settings({ AUDIO_STORE: 's3://calls' }).audio);
      s3.failures.push(503, 500);
      const key = newKey();
      await putAudio(store, key, Readable.from(chunks(BYTES)), never);
      expect(s3.objects.get(`/calls/${key}`)!.body.equals(BYTES)).to.be.true;
      expect(s3.requests.map(({ body }) => body.length)).to.deep.equal(Array(3).fill(BYTES.length));
    });

    describe('that accepts connections and never responds', () => {
      let silent: Server;
      let store: AudioStore;
      let patient: AudioStore;
      let connections: number;
      beforeEach(async () => {
        connections = 0;
        silent = createServer((socket) => socket.on('error', () => undefined).resume());
        silent.on('connection', () => connections++);
        await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
        const AUDIO_S3_ENDPOINT = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
        store = storeWithin(1_000, AUDIO_S3_ENDPOINT);
        patient = storeWithin(300_000, AUDIO_S3_ENDPOINT);
      });
      afterEach(() => new Promise((resolve) => silent.close(resolve)));

      /** Every call that waits for the store. */
      const calls: Record<string, (signal: AbortSignal) => Promise<unknown>> = {
        put: (signal) => putAudio(store, newKey(), Readable.from(chunks(BYTES)), signal),
        open: (signal) => store.open(newKey(), { signal }),
        useFile: (signal) => store.useFile(newKey(), async () => expect.fail('there is no file'), signal),
        remove: (signal) => store.remove(newKey(), signal),
        listOlderThan: () => store.listOlderThan(new Date())[Symbol.asyncIterator]().next(),
      };

      it('ends every call after its timeout, without a retry', async () => {
        const started = performance.now();
        const failures = Object.values(calls).map((call) => errorOf(call(never)));
        for (const failure of failures) expect(await failure).to.be.instanceOf(AudioStoreError);
        expect(performance.now() - started).to.be.lessThan(15_000);
        expect(connections).to.equal(failures.length);
      });

      it('ends a call with the reason of its signal', async () => {
        // Only the signal can end these calls in time.
        store = patient;
        for (const name of ['put', 'open', 'useFile', 'remove']) {
          const controller = new AbortController();
          const failure = errorOf(calls[name]!(controller.signal));
          await once(silent, 'connection');
          controller.abort(new Error('given up'));
          expect(await failure, name).to.have.property('message', 'given up');
        }
      });
    });

    it('that stops in the middle of a recording ends the copy', async () => {
      const half = await startReceiver((response) =>
        response.writeHead(200, { 'Content-Length': 1_000 }).write('half'),
      );
      const store = storeWithin(1_000, half.url);
      const failure = await errorOf(store.useFile(newKey(), async () => expect.fail('the file is not whole')));
      expect(failure).to.be.instanceOf(AudioStoreError);
      await half.stop();
    });

    it('requires a bucket', () => {
      for (const env of [{ AUDIO_STORE: 's3://' }, { AUDIO_STORE: 's3://Not_A_Bucket/x' }]) {
        expect(() => settings(env)).to.throw(ConfigError, 'must be');
      }
    });
  });
});

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../../clients/command.ts';
import { leaveRoom } from '../../clients/submit/leave-room.ts';
import { readOptions } from '../../clients/submit/options.ts';
import { SessionModel } from '../../db/models/session.ts';
import { WorkspaceModel } from '../../db/models/workspace.ts';
import { ProviderCallModel } from '../../db/models/provider-call.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import type { Scope } from '../../contract/values/scopes.ts';
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createOwner } from '../support/factories.ts';
import { newFolder } from '../support/new-folder.ts';
import { useTestService } from '../support/set-up.ts';

const PROGRAM = fileURLToPath(new URL('../../clients/submit/main.ts', import.meta.url));
const SAMPLE = readFileSync(new URL('../../examples/samples/support-call.mp3', import.meta.url));
const RESOLVED = { name: 'resolved', type: 'boolean', description: 'Was it solved?', evidence: true } as const;
const FIELDS = [{ ...RESOLVED, title: 'Решено' }];
const VOICE = { type: 'voice', stt_provider: 'whisper', stt_model: 'whisper-1', stt_language: 'Auto-Detect' } as const;

interface Ended {
  code: number;
  output: string;
  errors: string;
}

describe('npm run submit', () => {
  const service = useTestService();
  let token: string;
  let assistant: AssistantModel;
  let directory: string;
  beforeEach(async () => {
    ({ token, assistant } = await createOwner({ fields: FIELDS }));
    directory = newFolder();
  });
  afterEach(() => service.providers.pass());

  const environment = () => ({ ...process.env, API_URL: service.api.url, API_TOKEN: token });

  const submit = (args: string[], env = environment()): Promise<Ended> =>
    new Promise((resolve) => {
      execFile(process.execPath, [PROGRAM, ...args], { env }, (error, output, errors) =>
        resolve({ code: Number(error?.code ?? 0), output, errors }),
      );
    });

  function write(name: string, content: string | Buffer): string {
    const path = join(directory, name);
    writeFileSync(path, content);
    return path;
  }

  const dialogues = (count: number) =>
    Array.from({ length: count }, (_, n) => write(`call-${n}.txt`, `operator: Good morning.\nclient: Parcel ${n}.`));

  const linesOf = ({ output }: Ended) =>
    output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .sort((a, b) => String(a['file']).localeCompare(String(b['file'])));

  const sessions = () => SessionModel.query().where({ workspace_id: assistant.workspace_id });
  const paidCalls = () =>
    ProviderCallModel.query().where({ workspace_id: assistant.workspace_id, status: 'succeeded' }).resultSize();

  it('writes a line with the result of each file, and charges no file twice if it is repeated', async () => {
    const files = dialogues(3);
    files.push(write('request.json', JSON.stringify({ conversation: [{ role: 'client', text: 'Hello.' }] })));
    const first = await submit(['--assistant', assistant.id, ...files, files[0]!]);
    expect([first.code, first.errors]).to.deep.equal([0, '4 of 4 files have a result.\n']);
    const lines = linesOf(first);
    expect(lines.map(({ file }) => file)).to.deep.equal(files.toSorted());
    const rows = await sessions();
    for (const line of lines) {
      const row = rows.find(({ id }) => id === line['session_id']);
      expect(line).to.deep.include({ status: 'completed', error: null, summary_text: row?.summary_text });
      expect(line['raw_response']).to.have.property('fields');
    }
    expect(rows.find(({ id }) => id === lines[0]?.['session_id'])?.conversation).to.deep.equal([
      { role: 'operator', text: 'Good morning.' },
      { role: 'client', text: 'Parcel 0.' },
    ]);
    const again = await submit(['--assistant', assistant.id, ...files]);
    expect(linesOf(again)).to.deep.equal(lines);
    expect([await sessions().resultSize(), await paidCalls()]).to.deep.equal([4, 4]);
  });

  it('continues after it was killed, and writes CSV with the fields as columns', async () => {
    const files = dialogues(6);
    const args = ['--assistant', assistant.id, '--parallel', '2', ...files];
    service.providers.hang();
    const killed = spawn(process.execPath, [PROGRAM, ...args], { env: environment() });
    await eventually(() => sessions().resultSize(), 2);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await service.providers.pass();
    const output = join(directory, 'results.csv');
    const ended = await submit([...args, '--format', 'csv', '--output', output]);
    expect([ended.code, ended.output]).to.deep.equal([0, '']);
    const [header, ...rows] = readFileSync(output, 'utf8').trimEnd().split('\r\n');
    expect(header).to.equal('\ufefffile,session_id,status,summary_text,Решено (fields.resolved),total_cost,error');
    expect(rows.map((row) => row.split(',')[0]).sort()).to.deep.equal(files);
    expect([await sessions().resultSize(), await paidCalls()]).to.deep.equal([6, 6]);
  });

  it('charges no renamed or copied recording again, also if both are sent at once', async () => {
    const spoken = await createAssistant(assistant.workspace_id, VOICE);
    const files = ['call.mp3', 'copy.mp3', 'renamed.mp3'].map((name) => write(name, SAMPLE));
    const ended = await submit(['--assistant', spoken.id, '--parallel', '2', ...files]);
    expect([ended.code, ended.errors], ended.output).to.deep.equal([0, '3 of 3 files have a result.\n']);
    expect(new Set(linesOf(ended).map((line) => line['session_id'])).size).to.equal(1);
    expect(await sessions().resultSize()).to.equal(1);
  });

  it('submits recordings, and reports each refused file with the reason', async () => {
    const spoken = await createAssistant(assistant.workspace_id, VOICE);
    const good = write('call.mp3', SAMPLE);
    // The conversation in text is no metadata.
    write('call.json', JSON.stringify([{ role: 'client', text: 'Hello.' }]));
    const bad = write('notes.mp3', 'This is no recording.');
    const missing = join(directory, 'missing.mp3');
    const ended = await submit(['--assistant', spoken.id, good, bad, missing]);
    expect([ended.code, ended.errors]).to.deep.equal([1, '1 of 3 files have a result.\n']);
    const [taken, lost, refused] = linesOf(ended);
    expect(taken).to.include({ file: good, status: 'completed', error: null });
    expect(lost?.['error']).to.contain('ENOENT');
    expect(refused?.['error']).to.contain('is not a recording');
    expect(await sessions().resultSize()).to.equal(1);
  });

  it('retries a session after a temporary failure', async () => {
    const file = write('call.txt', 'client: Hello. [provider status=503 times=3]');
    const args = ['--assistant', assistant.id, file];
    expect((await submit(args)).code).to.equal(1);
    expect((await submit(args)).code).to.equal(0);
    expect(await sessions().resultSize()).to.equal(1);
  });

  it('submits the files that appear in a folder when they are complete, once, with their metadata', async () => {
    const inbox = join(directory, 'inbox');
    mkdirSync(join(inbox, 'line-1'), { recursive: true });
    const output = join(directory, 'results.jsonl');
    const start = () => {
      const args = ['--assistant', assistant.id, '--watch', inbox, '--settle', '1'];
      const more = ['--pattern', 'line-(?<line>\\d)', '--roles', 'Ann=operator,*=client', '--output', output];
      return spawn(process.execPath, [PROGRAM, ...args, ...more], { env: environment() });
    };
    const stop = async (running: ReturnType<typeof start>) => {
      running.kill('SIGTERM');
      expect(await once(running, 'exit')).to.deep.equal([0, null]);
    };
    const call = join(inbox, 'line-1', 'call.txt');
    const running = start();
    let said = '';
    running.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    writeFileSync(join(inbox, 'elsewhere.txt'), 'Ann: Not a call.');
    writeFileSync(`${call}.json`, JSON.stringify({ call_id: 'c-1' }));
    writeFileSync(call, 'Ann: Hello.\nBob: Hi.');
    const lines = () => (existsSync(output) ? readFileSync(output, 'utf8').split('\n').slice(0, -1) : []);
    await eventually(() => lines().length, 1);
    expect(said).to.match(/elsewhere\.txt: skipped: it does not match --pattern\./);
    const [session] = await sessions();
    expect(session?.metadata).to.include({ call_id: 'c-1', line: '1' });
    expect(session?.conversation).to.deep.equal([
      { role: 'operator', text: 'Hello.' },
      { role: 'client', text: 'Hi.' },
    ]);
    await stop(running);

    const again = start();
    writeFileSync(join(inbox, 'line-1', 'second.txt'), 'Ann: Good evening.');
    await eventually(() => lines().length, 2);
    await stop(again);
    expect(await sessions().resultSize()).to.equal(2);
  });

  it('skips empty recordings', async () => {
    const { id } = await createAssistant(assistant.workspace_id, VOICE);
    write('empty.mp3', '');
    const args = ['--assistant', id, '--watch', directory, '--settle', '0'];
    const running = spawn(process.execPath, [PROGRAM, ...args], { env: environment() });
    let said = '';
    running.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    await eventually(() => /empty\.mp3: skipped: it has less than 1024 bytes\./.test(said), true);
    running.kill('SIGTERM');
    await once(running, 'exit');
  });

  it('moves or deletes the files that have a result', async () => {
    for (const [action, left] of [
      ['move', ['done', 'done/good.txt', 'done/good.txt.json', 'refused.txt']],
      ['delete', ['refused.txt']],
    ] as const) {
      const inbox = newFolder();
      const put = (name: string, content: string) => writeFileSync(join(inbox, name), content);
      put('good.txt.json', '{"a":"b"}');
      put('good.txt', `Ann: Hello, ${action}.`);
      put('refused.txt', 'Ann: Hello. [provider status=400]');
      const args = ['--assistant', assistant.id, '--watch', inbox, '--settle', '1'];
      const running = spawn(process.execPath, [PROGRAM, ...args, '--after', action], { env: environment() });
      await eventually(() => readdirSync(inbox, { recursive: true }).sort(), [...left]);
      running.kill('SIGINT');
      await once(running, 'exit');
    }
  });

  it('stops when the budget or the cost of this run is reached, says how to go on, and goes on', async () => {
    const files = dialogues(6);
    const args = ['--assistant', assistant.id, '--parallel', '1', ...files];
    const limited = await submit([...args, '--max-cost-usd', '0.0000001']);
    expect([limited.code, linesOf(limited).length]).to.deep.equal([1, 1]);
    expect(limited.errors).to.match(
      /^1 of 6 files have a result\. The new sessions cost \$0\.\d+: the limit of --max-cost-usd\. To continue, run/,
    );
    await WorkspaceModel.query().findById(assistant.workspace_id).patch({ monthly_budget_usd: 0.00000001 });
    const stopped = await submit(args);
    expect([stopped.code, linesOf(stopped).length]).to.deep.equal([1, 2]);
    expect(stopped.errors).to.match(
      /The monthly budget is used up: .* To continue, run the command again with the same files\.\n$/,
    );
    expect(await paidCalls()).to.equal(1);
    await WorkspaceModel.query().findById(assistant.workspace_id).patch({ monthly_budget_usd: null });
    const ended = await submit(args);
    expect([ended.code, linesOf(ended).length, await paidCalls()]).to.deep.equal([0, 6, 6]);
  });

  it('names every scope that the token lacks before it submits anything, and submits nothing in a dry run', async () => {
    const files = dialogues(2);
    const body = { name: 'weak', scopes: ['assistants:read', 'sessions:read'] as Scope[] };
    const { token: weak } = (await send(service.api, 'createKey', { token, body })).body;
    const refused = await submit(['--assistant', assistant.id, ...files], { ...environment(), API_TOKEN: weak });
    expect(refused.code).to.equal(2);
    expect(refused.errors).to.contain('The token lacks the scopes requests:write, sessions:write.');
    await submit(['--assistant', assistant.id, files[0]!]);
    const dry = await submit(['--assistant', assistant.id, '--dry-run', ...files]);
    expect([dry.code, dry.errors]).to.deep.equal([0, '1 of 2 files would be submitted.\n']);
    const [row] = await sessions();
    expect(linesOf(dry).map(({ session_id }) => session_id)).to.deep.equal([row?.id, null]);
    expect(await sessions().resultSize()).to.equal(1);
  });

  it("takes the time of the call from the file's name, and replaces a former output only at the end", async () => {
    const output = write('results.jsonl', 'former\n');
    const named = [
      write('2026-03-10T20:00:00Z c-1.txt', 'client: Hello.'),
      write('20260310-200000 c-2.txt', 'client: Hi.'),
    ];
    const odd = ['yesterday', '20261399-990000', '2026-02-30'].map((time) =>
      write(`${time} c-3.txt`, `client: ${time}`),
    );
    const pattern = ['--pattern', '(?<occurred_at>[^/]+) (?<call>c-\\d)\\.txt$'];
    const args = ['--assistant', assistant.id, ...pattern, '--output', output];
    const ended = await submit([...args, ...named, ...odd]);
    expect(ended.code).to.equal(1);
    const lines = linesOf({ ...ended, output: readFileSync(output, 'utf8') });
    const refusals = odd.map((path) => `occurred_at of ${path}: "${basename(path, ' c-3.txt')}" is not a time`);
    expect(lines.map(({ error }) => error)).to.have.members([null, null, ...refusals]);
    const times = new Map((await sessions()).map((row) => [row.metadata['call'], row.occurred_at?.toISOString()]));
    expect(times.get('c-1')).to.equal('2026-03-10T20:00:00.000Z');
    expect(times.get('c-2')).to.equal(new Date(2026, 2, 10, 20).toISOString());
    service.providers.hang();
    const more = write('20260310-210000 c-4.txt', 'client: Good night.');
    const running = spawn(process.execPath, [PROGRAM, ...args, more], { env: environment() });
    await eventually(() => sessions().resultSize(), 3);
    running.kill('SIGINT');
    await once(running, 'exit');
    expect(linesOf({ ...ended, output: readFileSync(output, 'utf8') })).to.deep.equal(lines);
  });

  it('reports invalid arguments, an invalid token and an unknown assistant, and submits nothing', async () => {
    const [file = ''] = dialogues(1);
    const assistantId = ['--assistant', assistant.id];
    const recording = write('call.mp3', SAMPLE);
    for (const [args, code, message] of [
      [['--help'], 0, 'Usage: npx conversation-analysis-client submit'],
      [[...assistantId, '--nonsense', file], 2, '--nonsense'],
      [[...assistantId, '--token', 'wrong', file], 2, 'token'],
      [['--assistant', 'asst_01kaj4v5rzf1xtm8w3b2c9d0e7', file], 2, 'No assistant in your workspace'],
      [[...assistantId, recording], 1, 'call.mp3 is a recording, but the assistant is for texts'],
      [[...assistantId, '--dry-run', recording], 2, 'call.mp3 is a recording, but the assistant is for texts'],
    ] as const) {
      const ended = await submit([...args]);
      expect(ended.output + ended.errors, args.join(' ')).to.contain(message);
      expect(ended.code).to.equal(code);
    }
    expect(await sessions().resultSize()).to.equal(0);
  });

  it('says soon which address does not answer, and ends at once when it is interrupted', async () => {
    const env = { ...environment(), API_URL: 'http://127.0.0.1:1' };
    const running = spawn(process.execPath, [PROGRAM, '--assistant', assistant.id, ...dialogues(1)], { env });
    running.stderr.setEncoding('utf8');
    const [said] = (await once(running.stderr, 'data')) as [string];
    expect(said).to.contain('http://127.0.0.1:1 does not respond yet');
    running.kill('SIGINT');
    expect(await once(running, 'exit')).to.deep.equal([130, null]);
  });
});

describe('The requests of npm run submit', () => {
  it('wait for the next period when less than a fifth of the limit is left', async () => {
    const headers = (remaining: number) => ({
      'RateLimit-Policy': '"default";q=10;w=60',
      RateLimit: `"default";r=${remaining};t=1`,
    });
    let remaining = 2;
    const call = leaveRoom(
      new AbortController().signal,
      async () => new Response('', { headers: headers(remaining--) }),
    );
    const times = [performance.now()];
    for (let count = 0; count < 3; count++) {
      await call('http://127.0.0.1/');
      times.push(performance.now());
    }
    expect(times[2]! - times[0]!, 'two requests without a wait').to.be.below(1_000);
    expect(times[3]! - times[1]!, 'a second after the response to the second').to.be.at.least(1_000);
  });
});

describe('The options of npm run submit', () => {
  const COMPLETE = ['--assistant', 'asst_01kaj4v5rzf1xtm8w3b2c9d0e7'];
  for (const [args, message] of [
    [['a.txt'], '--assistant is required'],
    [COMPLETE, 'at least one file'],
    [[...COMPLETE, 'a.txt'], 'API_TOKEN is not set'],
    [[...COMPLETE, '--format', 'xml', 'a.txt'], 'jsonl or csv'],
    [[...COMPLETE, '--parallel', '0', 'a.txt'], '1 to 100'],
    [[...COMPLETE, '--watch', 'in', 'a.txt'], 'either files or --watch'],
    [[...COMPLETE, '--watch', 'in', '--after', 'burn'], '--after must be'],
    [[...COMPLETE, '--pattern', '(', 'a.txt'], '--pattern'],
    [[...COMPLETE, '--roles', 'Ann', 'a.txt'], 'NAME=ROLE'],
    [[...COMPLETE, '--max-cost-usd', '0', 'a.txt'], 'a number above 0'],
    [[...COMPLETE, '--watch', 'in', '--dry-run'], '--dry-run needs files'],
  ] as const) {
    it(`are refused with a message: ${message}`, () => {
      const env = message.startsWith('API_TOKEN') ? {} : { API_TOKEN: 'token' };
      expect(() => readOptions([...args], env)).to.throw(UsageError, message);
    });
  }
});

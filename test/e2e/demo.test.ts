import type { Batch } from '../../contract/sessions/batches.ts';
import dialogue from '../../local/stand-ins/dialogue.json' with { type: 'json' };
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { newFolder } from '../support/new-folder.ts';
import { runProgram, START_TIMEOUT_MS, startService } from '../support/started-service.ts';
import { stopAfterTest } from '../support/stop-after-test.ts';

describe('npm run demo', function () {
  this.timeout(4 * START_TIMEOUT_MS);

  const folder = newFolder();
  let output: string;
  const runDemo = async () => {
    const demo = runProgram('local/demo.ts', { DATA_DIR: folder });
    const { code } = await demo.ended;
    expect(code, demo.output()).to.equal(0);
    return demo.output();
  };
  before(async () => {
    output = await runDemo();
  });

  it('sends a text conversation through the service and shows the result', () => {
    expect(sectionOf(output, 'summary_text')).to.match(/\w+ \w+/);
    const raw = JSON.parse(sectionOf(output, 'raw_response')) as Record<string, unknown>;
    expect(raw).to.have.property('summary_text');
    const fields = sectionOf(output, 'fields, with evidence');
    expect(fields).to.contain('ticket: "N-20418" (verified)\n    turn 18: “Your ticket is N-20418”');
    expect(fields).to.contain('canceled: null (not said)');
    expect(Number.parseFloat(sectionOf(output, 'total_cost'))).to.be.above(0);
    expect(output).to.match(/^ {2}attempt 1: delivered, HTTP 200, \d+ ms$/m);
  });

  it('sends a recording, and shows transcript, roles, result and the cost of both steps', () => {
    const spoken = output.slice(output.indexOf('\nSpoken conversation\n'));
    const transcript = sectionOf(spoken, 'transcript');
    for (const { text } of dialogue.turns) expect(transcript).to.contain(text);
    expect(sectionOf(spoken, 'roles, with evidence')).to.match(
      /^speaker 1: operator\n {4}turn \d+: “.+”\n {2}speaker 2: client\n/,
    );
    expect(sectionOf(spoken, 'summary_text')).to.contain('parcel');
    const [total = '', ...steps] = sectionOf(spoken, 'total_cost')
      .split('\n')
      .map((line) => line.trim());
    const parts = steps.map((line) => line.split(': '));
    expect(parts.map(([step]) => step)).to.deep.equal([
      'transcription by elevenlabs scribe_v2',
      'analysis by openai gpt-6-luna',
    ]);
    const sum = parts.reduce((cost, [, part]) => cost + Number(part), 0);
    expect(Number.parseFloat(total)).to.be.above(0).and.closeTo(sum, 1e-9);
  });

  it('prints links to both in the Temporal UI and to the recording in the console, with the login', () => {
    const links = sectionOf(output, 'Temporal UI (while the service runs: npm start)');
    expect(links).to.match(
      /^text: http:\/\/127\.0\.0\.1:\d+\/namespaces\/default\/workflows\/sess_\w+\s+voice: http:\S+\/sess_\w+$/,
    );
    const [voice = ''] = /sess_\w+$/.exec(links) ?? [];
    expect(sectionOf(output, 'Console, after `npm start`')).to.match(
      /^Log in as demo-\w+@example\.com with the password \S+\n/,
    );
    expect(output.trimEnd()).to.match(new RegExp(`http://127\\.0\\.0\\.1:\\d+/console/sessions/${voice}$`));
  });

  it('leaves 60 reviewed conversations and an experiment with a verdict, and can run again beside a service', async () => {
    const service = await stopAfterTest(startService(folder));
    // Its experiment would be the same as that of the first run.
    const again = runProgram('local/demo.ts', { DATA_DIR: folder });
    const [, email = '', password = ''] = /Log in as (\S+) with the password (\S+)/.exec(output) ?? [];
    const { token } = (await send(service, 'login', { body: { email, password } })).body;
    const compare = async (id = '') => (await send(service, 'getBatchAccuracy', { token, params: { id } })).body;
    const { data: assistants } = (await send(service, 'listAssistants', { token })).body;
    const { id: assistant_id = '' } = assistants.find(({ name }) => name === 'Reviewed calls') ?? {};
    const filter = { assistant_id, review: 'sampled' };
    const query = { ...filter, simulated: 'true' };
    expect((await send(service, 'countSessions', { token, query })).body.total).to.equal(60);
    const accuracy = (await send(service, 'getAssistantAccuracy', { token, params: { id: assistant_id } })).body;
    expect(accuracy.fields.map(({ name }) => name)).to.deep.equal(['resolved', 'reason', 'score', 'call_back']);
    const [experiment] = (await send(service, 'listBatches', { token })).body.data;
    const { sessions, fields } = await compare(experiment?.batch_id);
    expect({ sessions, ended: experiment?.status }).to.deep.equal({ sessions: 60, ended: 'completed' });
    expect(fields[0]).to.include({ name: 'resolved', verdict: 'better' });

    const equal = (await send(service, 'createBatch', { token, body: { action: 'reanalyze', filter } })).body as Batch;
    const params = { id: equal.batch_id };
    const readStatus = async () => (await send(service, 'getBatch', { token, params })).body.status;
    await eventually(readStatus, 'completed', START_TIMEOUT_MS);
    const differing = (await compare(equal.batch_id)).fields.map(
      ({ only_before, only_after }) => only_before + only_after,
    );
    expect(differing, 'pairs of equal prompts').to.deep.equal([0, 0, 0, 0]);

    await eventually(
      () => again.output(),
      (shown) => shown.includes('\nReviews and an experiment\n'),
      START_TIMEOUT_MS,
    );
    again.signal('SIGKILL');
    expect(again.output()).to.contain(`Using the service at ${service.url}`);
    expect(sectionOf(again.output(), 'roles, with evidence')).to.contain('speaker 1: operator');
  });
});

/** Returns the output below a heading. */
function sectionOf(output: string, heading: string): string {
  const [, rest = ''] = output.split(`\n${heading}\n`);
  return (rest.split(/\n\n/)[0] ?? '').trim();
}

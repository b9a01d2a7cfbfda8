import { expect } from 'chai';
import dialogue from '../../local/stand-ins/dialogue.json' with { type: 'json' };
import { newFolder } from '../support/new-folder.ts';
import { runProgram, START_TIMEOUT_MS } from '../support/started-service.ts';

describe('npm run demo', function () {
  this.timeout(2 * START_TIMEOUT_MS);

  let output: string;
  before(async () => {
    const demo = runProgram('local/demo.ts', { DATA_DIR: newFolder() });
    const { code } = await demo.ended;
    output = demo.output();
    expect(code, output).to.equal(0);
  });

  it('sends a text conversation through the service and shows the result', () => {
    expect(sectionOf(output, 'summary_text')).to.match(/\w+ \w+/);
    const raw = JSON.parse(sectionOf(output, 'raw_response')) as Record<string, unknown>;
    expect(raw).to.have.property('summary_text');
    const fields = sectionOf(output, 'fields, with evidence');
    expect(fields).to.contain('ticket: "N-20418" (verified)\n    turn 18: “Your ticket is N-20418”');
    expect(fields).to.contain('canceled_at: null (not said)');
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
});

/** Returns the output below a heading. */
function sectionOf(output: string, heading: string): string {
  const [, rest = ''] = output.split(`\n${heading}\n`);
  return (rest.split(/\n\n/)[0] ?? '').trim();
}

import { expect } from 'chai';
import { newDirectory, removeDirectories, runProgram, START_TIMEOUT_MS } from '../support/started-service.ts';

describe('npm run demo', function () {
  this.timeout(2 * START_TIMEOUT_MS);
  after(removeDirectories);

  it('walks one conversation through the service and shows what came of it', async () => {
    const demo = runProgram('local/demo.ts', { DATA_DIR: newDirectory() });
    const { code } = await demo.ended;
    const output = demo.output();
    expect(code, output).to.equal(0);
    expect(sectionOf(output, 'summary_text')).to.match(/\w+ \w+/);
    const raw = JSON.parse(sectionOf(output, 'raw_response')) as Record<string, unknown>;
    expect(raw).to.have.property('summary_text');
    expect(Number.parseFloat(sectionOf(output, 'total_cost'))).to.be.above(0);
    expect(output).to.match(/^ {2}attempt 1: delivered, HTTP 200, \d+ ms$/m);
    expect(sectionOf(output, 'Temporal UI')).to.match(
      /^http:\/\/127\.0\.0\.1:\d+\/namespaces\/default\/workflows\/sess_\w+$/,
    );
  });
});

/** What is printed below a heading. */
function sectionOf(output: string, heading: string): string {
  const [, rest = ''] = output.split(`\n${heading}\n`);
  return (rest.split(/\n\n/)[0] ?? '').trim();
}

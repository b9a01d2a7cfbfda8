import { redact } from '../../redaction/redact.ts';
import { RedactionError } from '../../redaction/redaction-error.ts';
import { createRuleProcess } from '../../redaction/rule-process.ts';
import { RULE_KINDS } from '../../contract/values/redaction-kinds.ts';
import { errorOf } from '../support/error-of.ts';

const TURNS = [{ role: 'client', text: 'My card is 4111 1111 1111 1111', start_s: 1 }];

type Limits = Parameters<typeof createRuleProcess>[0];

const moduleOf = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);
const RUN = `export const run = (task) => `;

const FAILURES: Record<string, Limits> = {
  'that never ends': { file: moduleOf(`${RUN} { for (;;); }`), cpuMs: 100 },
  'that fills its heap with large numbers at once': {
    file: moduleOf(`${RUN} { const all = []; for (;;) all.push(0.5); }`),
    maxHeapMb: 64,
  },
  'that fails': { file: moduleOf(`${RUN} { throw new Error(task.turns[0].text) }`) },
  'that ends': { file: moduleOf(`${RUN} process.exit()`) },
  'that cannot start': { file: moduleOf('throw new Error()') },
  'that answers something else': { file: moduleOf(`${RUN} null`) },
  'that loses a turn': { file: moduleOf(`${RUN} ({ turns: [], items: [] })`) },
};

/** Another text may be redacted, so this one is not refused for good. */
const NOT_ITS_FAULT = new Set(['that cannot start', 'that answers something else', 'that loses a turn']);

describe('The redaction process', () => {
  let stop = () => Promise.resolve();
  afterEach(() => stop());

  function startProcess(limits?: Limits) {
    const started = createRuleProcess(limits);
    stop = () => started.stop();
    return started;
  }

  it('returns what the rules return, for conversations at the same time', async () => {
    const { redact: run } = startProcess();
    const redactions = await Promise.all([run(TURNS, RULE_KINDS), run(TURNS, ['email'])]);
    expect(redactions).to.deep.equal([redact(TURNS), { turns: TURNS, items: [] }]);
  });

  it('refuses a conversation above its size, which it measures in bytes', async () => {
    const { redact: run } = startProcess({ maxBytes: 20 });
    const sizes = [17, 18].map((length) => [{ role: 'ab', text: `ў${'a'.repeat(length - 1)}` }]);
    const [fits = [], tooLarge = []] = sizes;
    expect((await run(fits, RULE_KINDS)).turns).to.deep.equal(fits);
    const error = await errorOf(run(tooLarge, RULE_KINDS));
    expect(error).to.be.instanceOf(RedactionError).with.property('fault', 'too_large');
  });

  for (const [which, limits] of Object.entries(FAILURES)) {
    it(`fails without the conversation if it is a process ${which}`, async () => {
      const error = await errorOf(startProcess(limits).redact(TURNS, RULE_KINDS));
      const fault = NOT_ITS_FAULT.has(which) ? 'failed' : 'too_large';
      expect(error).to.be.instanceOf(RedactionError).with.property('fault', fault);
      expect(JSON.stringify([String(error), error])).not.to.include('4111');
    });
  }

  it('gives each owner one process of two, and lets owners take turns', async () => {
    const { redact: run } = startProcess();
    const ended: string[] = [];
    const endless = run([{ role: 'client', text: '+1 '.repeat(300_000) }], RULE_KINDS, { owner: 'a' }).catch(() => 0);
    const redactFor = (owner: string) => run(TURNS, RULE_KINDS, { owner }).then(() => ended.push(owner));
    await Promise.all(['b', 'b', 'b', 'c'].map(redactFor));
    expect(ended).to.deep.equal(['b', 'b', 'c', 'b']);
    await endless;
  });

  it('has processor time in proportion to the conversation, and lets an owner wait who exceeded it', async () => {
    const code = `{ const used = () => process.cpuUsage().user + process.cpuUsage().system; const end = used() + 500_000;
      while (task.turns[0].text !== 'a' && used() < end); return { ...task, items: [] }; }`;
    const { redact: run } = startProcess({ file: moduleOf(RUN + code), cpuMs: 400, pauseMs: 500 });
    const ended: string[] = [];
    const redactText = (text: string, owner: string) =>
      run([{ role: '', text }], RULE_KINDS, { owner }).then(
        () => ended.push(owner),
        () => ended.push(`${owner} failed`),
      );
    await redactText('b'.repeat(250_000), 'long');
    await redactText('b'.repeat(99_000), 'slow');
    const later = redactText('a', 'slow');
    await redactText('a', 'other');
    await later;
    expect(ended).to.deep.equal(['long', 'slow failed', 'other', 'slow']);
  });

  it('is not held by a caller that left, neither in the queue nor while its conversation is redacted', async () => {
    const { redact: run } = startProcess({
      file: moduleOf(`${RUN} task.turns[0].text === 'endless' ? new Promise(() => {}) : { ...task, items: [] }`),
    });
    const endless = [{ role: 'client', text: 'endless' }];
    const [running, queued] = [new AbortController(), new AbortController()];
    const results = [running, queued].map(({ signal }) => errorOf(run(endless, RULE_KINDS, { signal })));
    const next = run(TURNS, RULE_KINDS, { owner: 'other' });
    queued.abort(new Error('left the queue'));
    expect(await results[1]).to.have.property('message', 'left the queue');
    running.abort(new Error('left'));
    expect(await results[0]).to.have.property('message', 'left');
    expect((await next).turns).to.deep.equal(TURNS);
  });

  it('redacts the next conversation after a failure', async () => {
    const code = `{ if (task.turns.length === 0) throw new Error(); return { ...task, items: [] }; }`;
    const { redact: run } = startProcess({ file: moduleOf(RUN + code), pauseMs: 0 });
    const [failed, next] = [errorOf(run([], RULE_KINDS)), run(TURNS, RULE_KINDS)];
    expect(await failed).to.be.instanceOf(RedactionError);
    expect((await next).turns).to.deep.equal(TURNS);
  });
});

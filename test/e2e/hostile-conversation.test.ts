import { LLM_PROVIDER_FACTS, urlVariable } from '../../contract/values/providers.ts';
import { field } from '../activities/fields/fields.ts';
import { ANALYSIS, answerWell } from '../activities/providers/fake-provider.ts';
import { PROVIDERS } from '../activities/providers/llm-providers.ts';
import { send } from '../support/api.ts';
import { createOwner } from '../support/factories.ts';
import { expectNoBlock } from '../support/longest-block.ts';
import { startReceiver } from '../support/receiver.ts';
import { startTestService } from '../support/service.ts';
import { useStarted } from '../support/use-started.ts';

const WORD = 'мас'.repeat(20_000);
const HOSTILE = `my order number is ${WORD}`;

/** The start of the conversation with one wrong letter, so an exact search does not find it. */
const SLIP = `my order nunber is ${WORD.slice(0, 300)}`;

const FIELDS = Array.from({ length: 50 }, (_, index) => field(`f${index}`, 'boolean'));
const CLAIMS = FIELDS.flatMap(({ name }) => Array.from({ length: 5 }, () => ({ field: name, turn: 0, quote: SLIP })));
const ANSWER = { fields: Object.fromEntries(FIELDS.map(({ name }) => [name, [true]])), evidence: CLAIMS, ...ANALYSIS };

/** Sessions of the other user that are timed meanwhile. */
const BESIDE = 30;

/** Limit for busy machines. A check without pauses would take as long as hundreds of sessions. */
const MAX_RATIO = 10;

describe('A conversation of one word of 60,000 characters, which a model quotes with one wrong letter 250 times', () => {
  const model = useStarted(() =>
    startReceiver((response, request) => {
      const answer = request.body.includes('мас') ? ANSWER : ANALYSIS;
      const usage = { prompt_tokens: 20_000, completion_tokens: 20, total_tokens: 20_020 };
      answerWell('openai', { text: JSON.stringify(answer), usage })(response, request);
    }),
  );
  const service = useStarted(() =>
    startTestService({ env: { [urlVariable(LLM_PROVIDER_FACTS.openai)]: model.url + PROVIDERS.openai.basePath } }),
  );

  /** Returns a function that runs a text session of a new user and returns it. */
  async function sessionsOf(text: string, fields?: typeof FIELDS) {
    const settings = { llm_provider: 'openai', llm_model: PROVIDERS.openai.model, ...(fields && { fields }) } as const;
    const { token, assistant } = await createOwner(settings);
    const body = { assistant_id: assistant.id, conversation: [{ role: 'client', text }] };
    return async () => (await send(service.api, 'submitTextRequest', { token, body })).body;
  }

  it('completes, never blocks the worker for 100 ms, and does not delay the sessions of another user', async function () {
    this.timeout(0);
    const runHostile = await sessionsOf(HOSTILE, FIELDS);
    const runOther = await sessionsOf('My parcel is late.');
    const times = { alone: [] as number[], beside: [] as number[] };
    const timed = async (into: number[]) => {
      const started = performance.now();
      expect((await runOther()).status).to.equal('completed');
      into.push(performance.now() - started);
    };
    for (let warm = 0; warm < 2; warm++) await runOther();
    await expectNoBlock(100, async () => {
      for (let each = 0; each < 4; each++) await timed(times.alone);
      let isOver = false;
      const hostile = runHostile().finally(() => (isOver = true));
      while (!isOver && times.beside.length < BESIDE) await timed(times.beside);
      expect((await hostile).status).to.equal('completed');
      for (let each = 0; each < 4; each++) await timed(times.alone);
    });
    expect(median(times.beside)).to.be.below(MAX_RATIO * median(times.alone));
  });
});

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] as number;

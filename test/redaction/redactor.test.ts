import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createRecognizer } from '../../redaction/recognizer.ts';
import { RedactionError } from '../../redaction/redaction-error.ts';
import { redactConversation } from '../../redaction/redactor.ts';
import { createRuleProcess } from '../../redaction/rule-process.ts';
import type { RedactionKind } from '../../contract/values/redaction-kinds.ts';
import { createProviderFetch } from '../../runtime/outbound/provider-fetch.ts';
import { errorOf } from '../support/error-of.ts';

interface Request {
  text: string;
  language: string;
  entities: string[];
  score_threshold: number;
}

const NAMES: Record<string, string> = {
  'Anna Petrova': 'PERSON',
  Anna: 'PERSON',
  'Maple Street': 'LOCATION',
  'at [PHONE_1]': 'LOCATION',
};

/** Finds the names like Presidio Analyzer, whose positions are code points. */
function analyze({ text, entities }: Request) {
  return Object.entries(NAMES).flatMap(([name, entity_type]) => {
    const at = text.indexOf(name);
    if (at < 0 || !entities.includes(entity_type)) return [];
    const start = [...text.slice(0, at)].length;
    return [{ entity_type, start, end: start + [...name].length, score: 0.85, analysis_explanation: null }];
  });
}

const sendJson = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));

const FAILURES: Record<string, (response: ServerResponse) => unknown> = {
  'responds with an error': (response) => sendJson(response, [], 500),
  'responds with something else': (response) => sendJson(response, { entities: [] }),
  'sends a range outside the text': (response) =>
    sendJson(response, [{ entity_type: 'PERSON', start: 2, end: 900, score: 1 }]),
  'breaks off': (response) => response.destroy(),
  'never responds': () => undefined,
};

describe('Redaction of names and addresses', () => {
  const rules = createRuleProcess();
  let server: Server;
  let requests: Request[];
  let respond: (response: ServerResponse, request: Request) => unknown;

  beforeEach(async () => {
    requests = [];
    respond = (response, request) => sendJson(response, analyze(request));
    server = createServer((request, response) => {
      void json(request).then((body) => {
        requests.push(body as Request);
        respond(response, body as Request);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  after(() => rules.stop());

  function redactTexts(
    texts: string[],
    kinds: RedactionKind[],
    { language = 'en', timeoutMs = 10_000, signal = new AbortController().signal, withSpeakers = false } = {},
  ) {
    const { port } = server.address() as AddressInfo;
    const recognizer = createRecognizer({
      url: `http://127.0.0.1:${port}/`,
      languages: ['en', 'ru'],
      fetch: createProviderFetch(1024 ** 2),
      timeoutMs,
      pauseMs: 1,
    });
    const turns = texts.map((text) => ({ role: 'client', text }));
    return redactConversation({ rules, recognizer }, turns, { kinds, language, signal, owner: '', withSpeakers });
  }

  it('replaces what the recognizer finds, beside numbers that it never receives', async () => {
    const { turns, items } = await redactTexts(
      ['😀 Anna Petrova, +998901234567', 'I live on Maple Street, call at +998901234567'],
      ['phone', 'name', 'address'],
    );
    expect(turns.map(({ text }) => text)).to.deep.equal([
      '😀 [NAME_1], [PHONE_1]',
      'I live on [ADDRESS_1], call [ADDRESS_2][PHONE_1]',
    ]);
    expect(items.map(({ original }) => original)).to.deep.equal([
      'Anna Petrova',
      '+998901234567',
      'Maple Street',
      'at ',
      '+998901234567',
    ]);
    for (const { turn, start, end, placeholder } of items) {
      expect(turns[turn]!.text.slice(start, end)).to.equal(placeholder);
    }
    expect(JSON.stringify(requests)).not.to.include('901234567');
  });

  it('asks for the chosen kinds, in a language that the recognizer knows', async () => {
    await redactTexts(['Anna on Maple Street'], ['name'], { language: 'ru' });
    const { turns } = await redactTexts(['Anna on Maple Street'], ['address'], { language: 'uz' });
    expect(turns[0]!.text).to.equal('Anna on [ADDRESS_1]');
    expect(requests.map(({ language, entities }) => [language, ...entities])).to.deep.equal([
      ['ru', 'PERSON'],
      ['en', 'LOCATION', 'ADDRESS'],
    ]);
  });

  it('sends long conversations in parts', async () => {
    const filler = 'so it goes '.repeat(450);
    const { turns } = await redactTexts([`${filler}Anna${filler}`, 'Anna'], ['name']);
    expect(turns.map(({ text }) => text)).to.deep.equal([`${filler}[NAME_1]${filler}`, '[NAME_1]']);
    expect(Math.max(...requests.map(({ text }) => text.length))).to.be.at.most(4_000);
  });

  it('asks again after a failure, and redacts the names of speakers on request', async () => {
    const answers = [(response: ServerResponse) => void response.destroy()];
    respond = (response, request) => answers.shift()?.(response) ?? sendJson(response, analyze(request));
    const { turns } = await redactTexts(['Anna here'], ['name'], { withSpeakers: true });
    expect(requests.map(({ text }) => text)).to.deep.equal(['Anna here\nclient', 'Anna here\nclient']);
    expect(turns).to.deep.equal([{ role: 'client', text: '[NAME_1] here' }]);
  });

  for (const [what, fail] of Object.entries(FAILURES)) {
    it(`fails without the conversation if the recognizer ${what}`, async () => {
      respond = fail;
      const error = await errorOf(
        redactTexts(['Anna here'], ['name'], { timeoutMs: what === 'never responds' ? 100 : 10_000 }),
      );
      expect(error).to.be.instanceOf(RedactionError).with.property('fault', 'unavailable');
      expect(String(error)).not.to.include('Anna');
    });
  }

  it('fails without a recognizer, and ends when the caller cancels', async () => {
    const request = { kinds: ['name'] as const, language: 'en', owner: '', signal: AbortSignal.abort() };
    const turns = [{ role: 'client', text: 'Anna' }];
    const error = await errorOf(
      redactConversation({ rules, recognizer: null }, turns, { ...request, signal: new AbortController().signal }),
    );
    expect(error).to.be.instanceOf(RedactionError);
    expect(await errorOf(redactTexts(['Anna'], ['name'], request))).to.have.property('name', 'AbortError');
  });
});

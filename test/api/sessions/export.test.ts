import { randomBytes } from 'node:crypto';
import { typeid } from 'typeid-js';
import { API_BASE } from '../../../contract/values/constants.ts';
import { toCsvLine } from '../../../contract/values/csv-line.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { send } from '../../support/api.ts';
import { createAnswered, createOwner, createSession, says, sessionIdAt } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';

describe('GET /v1/exports/sessions', () => {
  const api = useTestApi();
  let token: string;
  let assistant: AssistantModel;
  beforeEach(async () => {
    ({ token, assistant } = await createOwner());
  });

  async function read(query: Record<string, string> = {}, headers = {}) {
    const url = `${api.url}${API_BASE}/v1/exports/sessions?${new URLSearchParams(query).toString()}`;
    const response = await fetch(url, { headers: { Authorization: `Bearer ${token}`, ...headers } });
    // As bytes: `text()` would remove the byte order mark.
    return { response, text: Buffer.from(await response.arrayBuffer()).toString() };
  }

  it('exports every session of the list, also beyond one page', async () => {
    const { workspace_id, id: assistant_id } = assistant;
    const columns = { workspace_id, assistant_id, type: 'text', simulated: false } as const;
    const rows = Array.from({ length: 450 }, () => ({
      ...columns,
      id: typeid('sess').toString(),
      assistant: assistant.freeze(),
      metadata: {},
    }));
    await SessionModel.query().insert(rows);
    const { response, text } = await read({ format: 'jsonl' });
    expect(response.headers.get('content-type')).to.equal('application/jsonl');
    expect(response.headers.get('content-disposition')).to.match(/^attachment; filename="sessions-[\d-]{10}\.jsonl"$/);
    const items = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { session_id: string });
    expect(new Set(items.map(({ session_id }) => session_id)).size).to.equal(450);
    const { data } = (await send(api, 'listSessions', { token, query: { limit: 2 } })).body;
    expect(items.slice(0, 2)).to.deep.equal(data);
    const { text: csv } = await read();
    expect(csv.trimEnd().split('\r\n')).to.have.length(451);
  });

  it('writes times and numbers as the spreadsheets of a country read them, and a column per key of the metadata', async () => {
    const end = new Date('2026-11-27T22:28:35.120Z');
    const own = { status: 'completed' as const, created_at: end, completed_at: end, total_cost: 0.00385 };
    await createSession(assistant, { ...own, metadata: { customer: 'Иванов; и сын', paid_at: '=1+1' } });
    await createSession(assistant, { ...own, metadata: { call_id: '007' } });
    const table = async (query: Record<string, string>, delimiter: string) => {
      const [header = '', ...lines] = (await read(query)).text.replace('\ufeff', '').trimEnd().split('\r\n');
      const names = header.split(delimiter);
      expect(lines).to.have.length(2);
      return lines.map((line) => {
        const cells = line.match(new RegExp(`(?:^|${delimiter})("(?:[^"]|"")*"|[^${delimiter}]*)`, 'g')) ?? [];
        const texts = cells.map((cell, index) => (index === 0 ? cell : cell.slice(1)));
        return Object.fromEntries(names.map((name, index) => [name, texts[index]]));
      });
    };
    const [newer, older] = await table({ timezone: 'Asia/Tashkent', delimiter: 'semicolon' }, ';');
    expect(older).to.include({
      created_at: '2026-11-28 03:28:35',
      completed_at: '2026-11-28 03:28:35',
      'metadata.customer': '"Иванов; и сын"',
      'metadata.paid_at': "'=1+1",
      'metadata.call_id': '',
    });
    expect(newer).to.include({ 'metadata.call_id': '007', 'metadata.customer': '' });
    const [tabs] = await table({ delimiter: 'tab' }, '\t');
    expect(tabs).to.include({ created_at: '2026-11-27T22:28:35.120Z' });
    expect((await read({ timezone: 'Mars/Base' })).response.status).to.equal(422);
    expect(toCsvLine([0.00385, '0.5', null], 'semicolon')).to.equal('0,00385;0.5;\r\n');
    expect((await read({ delimiter: '|' })).response.status).to.equal(422);
  });

  it('writes the offset of a time in the hour that comes twice, and only there', async () => {
    for (const time of ['2026-10-24T23:30:00Z', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-25T02:30:00Z'])
      await createSession(assistant, { created_at: new Date(time), id: sessionIdAt(new Date(time)) });
    const { text } = await read({ timezone: 'Europe/Berlin' });
    const times = ['03:30:00', '02:30:00 GMT+01:00', '02:30:00 GMT+02:00', '01:30:00'];
    // In two columns: of the submission and of the conversation.
    const expected = times.flatMap((time) => Array<string>(2).fill(`2026-10-25 ${time}`));
    expect(text.match(/2026-10-25 [^,]*/g)).to.deep.equal(expected);
  });

  it('writes JSON Lines that every reader of lines can read', async () => {
    const said = 'one\u2028two\u2029three\u0085four';
    await createSession(assistant, { conversation: says(said), summary_text: said });
    const { text } = await read({ format: 'jsonl', include: 'conversation' });
    expect(text.trimEnd()).not.to.match(/[\n\r\u0085\u2028\u2029]/);
    expect(JSON.parse(text)).to.deep.nested.include({ summary_text: said, 'conversation[0].text': said });
  });

  it('in ascending order continues after any line, and has every session once', async () => {
    const { workspace_id, id: assistant_id } = assistant;
    const times = Array.from({ length: 450 }, (_, index) => new Date(Date.UTC(2026, 2, 1) + (index % 7) * 1_000));
    await SessionModel.query().insert(
      times.map((time) => ({
        id: typeid('sess').toString(),
        ...({ workspace_id, assistant_id, type: 'text', simulated: false, status: 'completed' } as const),
        ...{ created_at: time, completed_at: time, assistant: assistant.freeze(), metadata: {} },
      })),
    );
    for (const sort of ['completed_at', 'created_at', 'updated_at']) {
      const read450 = async (cursor?: string) =>
        (await read({ format: 'jsonl', sort, ...(cursor && { cursor }) })).text
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as { session_id: string; cursor: string; created_at: string });
      const all = await read450();
      expect(all).to.have.length(450);
      const times = all.map(({ cursor }) => cursor.split(',')[0]);
      expect(times).to.deep.equal(times.toSorted());
      for (const place of [0, 199, 200, 321, 449])
        expect(await read450(all[place]?.cursor), String(place)).to.deep.equal(all.slice(place + 1));
    }
    for (const query of [
      { sort: 'created_at' },
      { format: 'jsonl', cursor: `1,${typeid('sess').toString()}` },
    ] as Record<string, string>[])
      expect((await read(query)).response.status).to.equal(422);
  });

  it("exports what the filters match, and only the user's own", async () => {
    const { id } = await createSession(assistant, { status: 'failed' });
    await createSession(assistant);
    await createSession((await createOwner()).assistant, { status: 'failed' });
    const { text } = await read({ format: 'jsonl', status: 'failed' });
    expect(text.match(/"session_id":"\w+"/g)).to.deep.equal([`"session_id":"${id}"`]);
    expect((await read({ format: 'jsonl', status: 'canceled' })).text).to.equal('');
    expect((await read({ format: 'xls' })).response.status).to.equal(422);
  });

  it('adds conversations and raw responses to JSON Lines only', async () => {
    const conversation = [{ role: 'client', text: 'Hello?' }];
    const raw_response = { mood: 'calm' };
    for (let count = 0; count < 11; count++) await createSession(assistant, { conversation, raw_response });
    const { text } = await read({ format: 'jsonl', include: 'conversation,raw_response' });
    const lines = text.trimEnd().split('\n');
    expect(lines).to.have.length(11);
    for (const line of lines) expect(JSON.parse(line)).to.deep.include({ conversation, raw_response });
    const [line = ''] = (await read({ format: 'jsonl', include: 'raw_response' })).text.split('\n');
    expect(JSON.parse(line)).to.deep.include({ raw_response }).and.not.to.have.property('conversation');
    expect((await read({ include: 'conversation' })).response.status).to.equal(422);
  });

  it('gives each session its own content, also if not all of it is read at once', async () => {
    // Letters in random order take as much space in the database.
    const texts = Array.from({ length: 9 }, (_, index) =>
      randomBytes(index % 4 === 3 ? 700_000 : 90_000).toString('base64'),
    );
    for (const text of texts)
      await createSession(assistant, {
        metadata: { call_id: text.slice(0, 9) },
        conversation: [{ role: 'client', text }],
      });
    const lines = (await read({ format: 'jsonl', include: 'conversation' })).text.trimEnd().split('\n');
    const items = lines.map(
      (line) => JSON.parse(line) as { metadata: { call_id: string }; conversation: { text: string }[] },
    );
    expect(items.map(({ conversation }) => conversation[0]?.text)).to.deep.equal(texts.toReversed());
    for (const { metadata, conversation } of items)
      expect(conversation[0]?.text.slice(0, 9)).to.equal(metadata.call_id);
  });

  it('heads the columns of fields with title and key, so that they are unique and harmless in a spreadsheet', async () => {
    const asked = { type: 'boolean', description: 'Is it so?', evidence: false } as const;
    const fields = [
      { ...asked, name: 'solved', title: 'Решено, "да"' },
      { ...asked, name: 'plain' },
      { ...asked, name: 'closed', title: 'Решено, "да"' },
      { ...asked, name: 'sum', title: '=SUM(A1)' },
      { ...asked, name: 'state', title: 'status' },
    ];
    await assistant.$query().patch({ fields });
    await createAnswered(assistant, { solved: true, plain: false });
    const { text } = await read({ include: 'fields,review', assistant_id: assistant.id });
    const [heads = [], row = []] = readCsv(text.slice(1));
    const titles = [
      'Решено, "да" (·.solved)',
      '·.plain',
      'Решено, "да" (·.closed)',
      '=SUM(A1) (·.sum)',
      'status (·.state)',
    ];
    const expected = ['fields', 'reviewed'].flatMap((member) => titles.map((title) => title.replace('·', member)));
    expect(heads.slice(21, 31)).to.deep.equal(expected.map((head) => (head.startsWith('=') ? `'${head}` : head)));
    expect(new Set(heads).size).to.equal(heads.length);
    expect(row.slice(21, 23)).to.deep.equal(['true', 'false']);
    const lines = await read({ format: 'jsonl', include: 'fields', assistant_id: assistant.id });
    expect(JSON.parse(lines.text)).to.deep.nested.include({ 'fields.solved': true, 'fields.plain': false });
  });

  it('escapes cells that a spreadsheet would execute, and quotes commas, quotes and line breaks', async () => {
    const summaries = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1+1', 'a, "b"\nc', 'Grüß Gott'];
    for (const summary_text of summaries) await createSession(assistant, { status: 'completed', summary_text });
    const url = `${api.url}${API_BASE}/v1/exports/sessions`;
    const head = await fetch(url, { method: 'HEAD', headers: { Authorization: `Bearer ${token}` } });
    expect([head.status, head.headers.get('content-type')]).to.deep.equal([200, 'text/csv; charset=utf-8']);
    const { text, response } = await read();
    expect(response.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
    expect(text.startsWith('\ufeffsession_id,created_at,')).to.equal(true);
    const cells = readCsv(text.slice(1)).slice(1);
    const shown = cells.map((row) => row[14]).reverse();
    const expected = summaries.map((summary, index) => (index < 8 ? `'${summary}` : summary));
    expect(shown).to.deep.equal(expected);
    for (const cell of cells.flat()) expect(cell).not.to.match(/^[=+\-@\t\r\n]/);
  });
});

/** Parses CSV as in RFC 4180. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\r\n') rows.push([]);
    if (end === '') break;
  }
  return rows.slice(0, -1);
}

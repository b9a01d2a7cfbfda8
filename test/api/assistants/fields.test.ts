import { AssistantModel } from '../../../db/models/assistant.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { send } from '../../support/api.ts';
import { createUser, TEXT_SETTINGS } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';

const RESOLVED = { name: 'resolved', type: 'boolean', description: 'Was the problem solved?' };
const SCORE = { name: 'score', type: 'integer', description: 'Satisfaction.', minimum: 1, maximum: 10 };
const REASON = { name: 'reason', type: 'enum', description: 'Why?', options: ['billing', 'other'], evidence: false };

const optionsOf = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => String(index).padStart(length, 'x'));

describe("An assistant's fields", () => {
  const api = useTestApi();
  let token: string;
  before(async () => {
    token = (await createUser()).token;
  });

  const create = (fields: unknown) => send(api, 'createAssistant', { token, body: { ...TEXT_SETTINGS, fields } });
  const patch = (id: string, body: object) => send(api, 'updateAssistant', { token, params: { id }, body });

  it('are returned as given, in order, with evidence by default', async () => {
    const { status, body } = await create([SCORE, RESOLVED, REASON]);
    expect(status).to.equal(201);
    expect(body.fields).to.deep.equal([{ ...SCORE, evidence: true }, { ...RESOLVED, evidence: true }, REASON]);
    expect((await send(api, 'getAssistant', { token, params: { id: body.id } })).body).to.deep.equal(body);
    const copy = await send(api, 'duplicateAssistant', { token, params: { id: body.id } });
    expect(copy.body.fields).to.deep.equal(body.fields);
  });

  it('have a title in any script, without surrounding blanks', async () => {
    const titles = ['Проблема решена', 'Oʻzbekcha', 'حل المشكلة', '=SUM(A1)', '🙂'.repeat(78)];
    const fields = titles.map((title, index) => ({ ...RESOLVED, name: `f${index}`, title: ` ${title}\u00a0` }));
    const { body } = await create([...fields, SCORE]);
    expect(body.fields?.map(({ title }) => title)).to.deep.equal([...titles, undefined]);
  });

  it('are replaced as a whole, kept by other changes, and removed by null and []', async () => {
    const { id } = (await create([RESOLVED])).body;
    expect((await patch(id, { name: 'Other' })).body.fields).to.have.length(1);
    expect((await patch(id, { fields: [SCORE, REASON] })).body.fields).to.have.length(2);
    for (const none of [null, []]) {
      await patch(id, { fields: [RESOLVED] });
      expect((await patch(id, { fields: none })).body.fields).to.equal(null);
      expect((await create(none)).body.fields).to.equal(null);
    }
    expect((await AssistantModel.query().findById(id))?.fields).to.equal(null);
  });

  it('are copied into each session; without fields, the property is missing', async () => {
    const submitted = async (fields: unknown) => {
      const { id: assistant_id } = (await create(fields)).body;
      const body = { assistant_id, conversation: [{ role: 'client', text: 'Hello' }] };
      const answer = await send(api, 'submitTextRequest', { token, body, headers: { prefer: 'respond-async' } });
      await patch(assistant_id, { fields: [SCORE] });
      return SessionModel.query().findById(answer.body.session_id).throwIfNotFound();
    };
    expect((await submitted([REASON])).assistant.fields).to.deep.equal([REASON]);
    expect((await submitted(null)).assistant).not.to.have.property('fields');
  });

  it('are accepted up to the limits that all providers support', async () => {
    const names = Array.from({ length: 50 }, (_, index) => ({ ...RESOLVED, name: `f${index}` }));
    expect((await create(names)).status).to.equal(201);
    const options = optionsOf(50, 29);
    const large = Array.from({ length: 10 }, (_, index) => ({ ...REASON, name: `f${index}`, options }));
    expect((await create(large)).status).to.equal(201);
  });

  const INVALID = [
    ['a type that there is not', [{ ...RESOLVED, type: 'date' }], 'fields.0.type'],
    ['a name with a capital', [{ ...RESOLVED, name: 'Resolved' }], 'fields.0.name'],
    ['a name that is too long', [{ ...RESOLVED, name: 'x'.repeat(41) }], 'fields.0.name'],
    ['two fields of one name', [SCORE, RESOLVED, { ...SCORE }], 'fields.2.name'],
    ['an empty title', [{ ...RESOLVED, title: '' }], 'fields.0.title'],
    ['a blank title', [SCORE, { ...RESOLVED, title: ' \u3000' }], 'fields.1.title'],
    ['a title that is too long', [{ ...RESOLVED, title: '🙂'.repeat(81) }], 'fields.0.title'],
    ['a title of two lines', [{ ...RESOLVED, title: 'a\nb' }], 'fields.0.title'],
    ['a title with a line separator', [{ ...RESOLVED, title: 'a\u2028b' }], 'fields.0.title'],
    ['a title with a control character', [{ ...RESOLVED, title: 'a\u0085b' }], 'fields.0.title'],
    ['no description', [{ name: 'a', type: 'string' }], 'fields.0.description'],
    ['a description that is too long', [{ ...RESOLVED, description: 'x'.repeat(501) }], 'fields.0.description'],
    ['an unknown key', [{ ...RESOLVED, required: true }], 'fields.0.required'],
    ['an enum without options', [RESOLVED, { ...REASON, options: undefined }], 'fields.1.options'],
    ['an enum with one option', [{ ...REASON, options: ['a'] }], 'fields.0.options'],
    ['options that differ in case alone', [{ ...REASON, options: ['a', 'A'] }], 'fields.0.options'],
    ['a blank option', [{ ...REASON, options: ['a', ' '] }], 'fields.0.options.1'],
    ['an option that is too long', [{ ...REASON, options: ['a', 'x'.repeat(101)] }], 'fields.0.options.1'],
    ['options of another type', [{ ...RESOLVED, options: ['a', 'b'] }], 'fields.0.options'],
    ['bounds of another type', [{ ...RESOLVED, minimum: 1 }], 'fields.0.minimum'],
    ['bounds of an integer that are none', [{ ...SCORE, minimum: 0.5 }], 'fields.0.minimum'],
    ['bounds that nothing is between', [{ ...SCORE, minimum: 11 }], 'fields.0.maximum'],
    ['an infinite bound', [{ ...SCORE, minimum: 1, maximum: '1e999' }], 'fields.0.maximum'],
    ['more than 50', Array.from({ length: 51 }, (_, index) => ({ ...RESOLVED, name: `f${index}` })), 'fields'],
    [
      'more than 500 options in all',
      Array.from({ length: 11 }, (_, index) => ({ ...REASON, name: `f${index}`, options: optionsOf(50, 3) })),
      'fields.10.options',
    ],
    [
      'more than 15,000 characters of names and options in all',
      Array.from({ length: 8 }, (_, index) => ({ ...REASON, name: `f${index}`, options: optionsOf(20, 100) })),
      'fields.7.options',
    ],
    ['an object', {}, 'fields'],
  ] as const;

  it('are refused with a 422 that names the invalid property, and nothing is stored', async () => {
    const { id } = (await create(null)).body;
    for (const [what, fields, path] of INVALID) {
      for (const answer of [await create(fields), await patch(id, { fields })]) {
        expect([answer.status, ...answer.paths], what).to.deep.equal([422, path]);
      }
    }
    expect((await AssistantModel.query().findById(id))?.fields).to.equal(null);
  });
});

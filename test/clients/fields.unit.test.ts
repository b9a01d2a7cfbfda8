import { defineFields } from 'conversation-analysis-client/fields';
import { AssistantSettingsSchema } from '../../contract/assistants/assistant-schemas.ts';
import { PUBLISHED } from '../activities/fields/fields.ts';

const review = defineFields({
  resolved: { title: 'Решено', type: 'boolean', description: 'Was the problem solved?' },
  score: { type: 'integer', description: 'Satisfaction.', minimum: 1, maximum: 10 },
  reason: { type: 'enum', description: 'Why?', options: ['Billing', 'Delivery', 'Other'] },
  products: { type: 'string_list', description: 'Which?', evidence: false },
  since: { type: 'string', description: 'Since when?' },
  quality: { type: 'score', description: 'How good?', of: [{ field: 'resolved', points: { true: 1 } }], pass: 80 },
});

const QUESTIONS = ['resolved', 'score', 'reason', 'products', 'since'];

describe("The client's fields", () => {
  it('are accepted by the API, in the order of their declaration', () => {
    const settings = {
      name: 'Review',
      type: 'text',
      llm_provider: 'openai',
      system_prompt: 'x',
      fields: review.fields,
    };
    const { fields } = AssistantSettingsSchema.parse(settings);
    expect(fields?.map(({ name }) => name)).to.deep.equal([...QUESTIONS, 'quality']);
    expect(fields?.map(({ title }) => title).filter(Boolean)).to.deep.equal(['Решено']);
  });

  it('have the types of their declaration', () => {
    const results = review.read({ fields: PUBLISHED, evidence: {} });
    if (!results) throw new Error('there are results');
    const resolved: boolean | null = results.values.resolved;
    const score: number | null = results.values.score;
    const reason: 'Billing' | 'Delivery' | 'Other' | null = results.values.reason;
    const quality: number | null = results.values.quality;
    expect(quality).to.equal(null);
    const products: string[] | null = results.values.products;
    expect([resolved, score, reason, products]).to.deep.equal([false, 7, 'Billing', ['lamps', 'a chair']]);
    expect(results.values.since, 'a field that the session did not have').to.equal(null);
    // @ts-expect-error -- an option that was not declared
    expect(results.values.reason === 'billing').to.equal(false);
    // @ts-expect-error -- a field that was not declared
    expect(results.values.other).to.equal(undefined);
    // @ts-expect-error -- a number is not a string
    const wrong: string | null = results.values.score;
    expect(wrong).to.equal(7);
    expect(results.problems).to.deep.equal({});
  });

  it('are null for a session without fields or without a result', () => {
    for (const raw of [null, undefined, {}, { fields: null }, { fields: 'x' }]) expect(review.read(raw)).to.equal(null);
  });
});

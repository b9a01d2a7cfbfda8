import { z } from 'zod';
import { MAX_JSON_VALUES, parseJson } from '../../../api/http/read-json.ts';
import { ApiError, parseOrThrow } from '../../../api/errors.ts';
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import { MAX_CONVERSATION_CHARACTERS, submitTextRequest } from '../../../contract/sessions/requests.ts';
import { bodyLimitOf } from '../../../contract/values/endpoint.ts';
import { expectNoBlock } from '../../support/longest-block.ts';

/** Another request waits this long at most. */
const MAX_BLOCK_MS = 200;

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** A place in a body that can have any number of members or items. */
interface Container {
  before: string;
  after: string;
  isList: boolean;
}

/** Returns all lists and objects of a schema. Objects can be filled with unknown members. */
function containersOf(schema: JsonSchema, defs: Record<string, JsonSchema>, before = '', after = ''): Container[] {
  const at = (part: unknown, opening = '', closing = '') =>
    typeof part === 'object' && part !== null
      ? containersOf(part as JsonSchema, defs, before + opening, closing + after)
      : [];
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [
    ...(schema.$ref === undefined ? [] : at(defs[schema.$ref.replace('#/$defs/', '')])),
    ...parts.flatMap((part) => at(part)),
    ...(schema.type === 'array' ? [{ before: `${before}[`, after: `]${after}`, isList: true }] : []),
    ...(schema.type === 'object' ? [{ before: `${before}{`, after: `}${after}`, isList: false }] : []),
    ...at(schema.items, '[', ']'),
    ...at(schema.additionalProperties, '{"a":', '}'),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => at(part, `{${JSON.stringify(name)}:`, '}')),
  ];
}

/** Returns the container with as many of the items as fit into the bytes and the limit of values. */
function fill(
  { before, after, isList }: Container,
  item: string,
  { bytes, values, keyLength }: Record<string, number>,
) {
  const key = (index: number) => (isList ? '' : `"${String(index).padStart(keyLength!, 'k')}":`);
  const each = item.length + (isList ? 0 : Math.max(keyLength!, 7) + 3) + 1;
  const count = Math.min(Math.floor((bytes! - before.length - after.length) / each), values!);
  return before + Array.from({ length: count }, (_, index) => key(index) + item).join(',') + after;
}

describe('Bodies with many members', () => {
  for (const endpoint of ENDPOINTS) {
    const { body, operationId, method } = endpoint;
    if (!body) continue;
    it(`block no other request: ${operationId}`, async () => {
      const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
      const bytes = bodyLimitOf(endpoint);
      const limit = MAX_JSON_VALUES - 40;
      for (const container of containersOf(schema, schema.$defs ?? {})) {
        for (const item of ['null', '{}', '1', `{"${'k'.repeat(150)}":null}`]) {
          // An object counts twice.
          const atLimit = { bytes, values: item.startsWith('{') ? limit / 2 : limit, keyLength: 150 };
          for (const shape of [{ bytes, values: Infinity, keyLength: 1 }, atLimit]) {
            const sent = Buffer.from(fill(container, item, shape));
            const parse = async () => {
              try {
                parseOrThrow(body, parseJson(sent), { isPatch: method === 'patch' });
              } catch (error) {
                if (!(error instanceof ApiError)) throw error;
              }
            };
            await expectNoBlock(MAX_BLOCK_MS, parse, `${container.before} ${item.slice(0, 20)} ${sent.length}`);
          }
        }
      }
    });
  }

  it('block no other request: a conversation as one text', async () => {
    const { body } = submitTextRequest;
    for (const line of ['a', '1', '[1', '<v a>', 'a: b', '> a', '{"a":[', '00:00:01.000 --> 00:00:02.000\na']) {
      for (const start of ['', 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n', 'From: a@b.cd\nSubject: a\n\n']) {
        const conversation =
          start + `${line}\n`.repeat((MAX_CONVERSATION_CHARACTERS - start.length) / (line.length + 1));
        const parse = async () => void body.safeParse({ conversation });
        await expectNoBlock(MAX_BLOCK_MS, parse, start + line);
      }
    }
  });
});

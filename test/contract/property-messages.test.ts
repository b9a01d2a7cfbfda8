import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { codeOf } from '../../contract/errors/property-messages.ts';

const root = new URL('../../', import.meta.url);
const files = ['api', 'contract', 'runtime/audio'].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true }).map((file) => `${folder}/${String(file)}`),
);

const TEXT = String.raw`(?<quote>['"\x60])(?<text>(?:\\.|(?!\k<quote>).)+)\k<quote>`;

/** Where the code writes a message: beside a path, in a call that refuses, or in a rule of a schema. */
const SITES = [
  String.raw`\bpath(?:: [^{}]*?)?,\s+message: ${TEXT}`,
  String.raw`\b(?:refuse|UnfitAudioError)\((?:\[[^\]]*\]|[^;()])*?,\s*${TEXT},?\s*\)`,
  String.raw`\.(?:refine|regex)\([^;]*?, (?:\{ error: )?${TEXT}[,)]`,
  String.raw`\b(?:STORABLE|CONDITION_SYNTAX|wrongPart|message) =\s+[^;]*?${TEXT}(?: : ${TEXT.replaceAll('quote', 'other').replace('<text>', '<second>')})?;`,
].map((site) => new RegExp(site, 'gs'));

/** Returns every message in the source, with a value for each placeholder. */
const written = files
  .filter((file) => file.endsWith('.ts') && !file.startsWith('contract/openapi/'))
  .flatMap((file) => {
    const source = readFileSync(new URL(file, root), 'utf8');
    return SITES.flatMap((site) => [...source.matchAll(site)]).flatMap(({ groups = {} }) =>
      [groups['text'], groups['second']].flatMap((text) =>
        text === undefined || !text.includes(' ')
          ? []
          : [
              text
                .replace('${SEND}', 'send WAV, MP3, M4A, MP4, AAC, FLAC, OGG, Opus or WebM')
                .replaceAll(/\$\{[^}]+\}/g, '1')
                .replaceAll('\\', ''),
            ],
      ),
    );
  });

describe('The codes of field errors', () => {
  it('exist for every message in the source', () => {
    expect(written.length).to.be.above(90);
    expect(written.filter((message) => codeOf(message) === undefined)).to.deep.equal([]);
  });

  it('exist for the messages of schemas, with their parameters', () => {
    const codeFor = (schema: z.ZodType, value: unknown) =>
      codeOf(schema.safeParse(value).error?.issues[0]?.message ?? '');
    for (const [schema, value, code, params] of [
      [z.string(), 1, 'type', { type: 'string', received: 'number' }],
      [z.enum(['a', 'b']), 'c', 'option', { options: '"a"|"b"' }],
      [z.number().min(2), 1, 'minimum', { type: 'number', min: '2' }],
      [z.number().max(2), 3, 'maximum', { type: 'number', max: '2' }],
      [z.number().gt(2), 2, 'above', { type: 'number', min: '2' }],
      [z.number().lt(2), 2, 'below', { type: 'number', max: '2' }],
      [z.string().max(2), 'abc', 'max_characters', { max: '2' }],
      [z.array(z.string()).max(1), ['a', 'b'], 'too_many', { type: 'array', max: '1', unit: 'items' }],
      [z.array(z.string()).min(1), [], 'too_few', { type: 'array', min: '1', unit: 'items' }],
      [z.email(), 'a', 'email', undefined],
      [z.union([z.string(), z.null()]), 1, 'invalid', undefined],
    ] as const)
      expect(codeFor(schema, value)).to.deep.equal({ code, ...(params && { params }) });
  });
});

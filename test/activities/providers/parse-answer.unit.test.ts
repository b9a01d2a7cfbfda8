import fc from 'fast-check';
import { parseAnswer } from '../../../activities/providers/llm/parse-answer.ts';
import { ANALYSIS } from './fake-provider.ts';

const TEXT = JSON.stringify(ANALYSIS);
const DRAFT = JSON.stringify({ ...ANALYSIS, summary_text: 'A draft.' });
const PYTHON = TEXT.replaceAll('"', "'");

/** Ways in which models and servers write an answer. `A` is the answer, `D` another one. */
const WRAPPERS = [
  'A',
  '\uFEFFA',
  ' \n\tA\n\n\n',
  '```json\nA\n```',
  '```JSON A ```',
  '```\nA',
  'Here is the analysis:\nA\nLet me know if you need {more}!',
  'A<|im_end|>',
  '<think>plan {x}</think>A',
  '<think>D</think>\n\nA',
  '<THINKING>D</THINKING>A',
  '<reasoning effort="low">D</reasoning>A',
  '[THINK]D[/THINK]A',
  '<|channel>thought\nD<channel|>A',
  '<details type="reasoning">D</details>A',
  'D\n</think>A',
  'plan {"x </think> A',
  'A<think>Was that right? D</think>',
  'D\nBetter:\nA',
  'The format is {"summary_text": "…", }. A',
  '{"conversation_analysis": A}',
  '{"type": "object", "result": {"data": A}, "done": true}',
  '[A]',
  '[D, A]',
  '{"conversation_analysis": A',
  '5" {A}',
  '{"a": 1} A',
] as const;

const insert = (wrapper: string, answer: string) =>
  wrapper.replaceAll(/(?<![A-Z])[AD](?![A-Z])/g, (letter) => (letter === 'A' ? answer : DRAFT));

const summaryOf = (text: string) => {
  const answer = parseAnswer(text);
  return typeof answer === 'string' ? answer : answer.summary_text;
};

const json = fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text) as unknown);
/** A summary with words that is not JSON itself. */
const summary = fc
  .tuple(fc.string({ unit: 'grapheme' }), fc.constantFrom('a', 'ў', '</think> {', '"}', '\\"', '```', '[/THINK]'))
  .map(([text, end]) => `Summary ${text}${end}`.toWellFormed().replaceAll('\0', ''));
const answers = fc
  .record({ topics: fc.array(fc.string()), findings: json, fields: json, note: fc.string() })
  .chain((members) => summary.map((summary_text) => ({ ...members, summary_text })))
  .map(
    (members) =>
      JSON.parse(
        // An escaped backslash is no beginning of an escape.
        JSON.stringify(members).replaceAll(/(\\\\)|\\u0000|\\ud[89a-f]../gi, '$1'),
      ) as typeof members,
  );

describe("The answer in a model's text", () => {
  for (const wrapper of WRAPPERS) {
    it(`is read unchanged from ${JSON.stringify(wrapper)}`, () => {
      expect(parseAnswer(insert(wrapper, TEXT))).to.deep.equal({
        raw_response: ANALYSIS,
        summary_text: ANALYSIS.summary_text,
      });
      fc.assert(
        fc.property(answers, (answer) => {
          expect(parseAnswer(insert(wrapper, JSON.stringify(answer)))).to.deep.equal({
            raw_response: answer,
            summary_text: answer.summary_text,
          });
        }),
        { numRuns: 30 },
      );
    });
  }

  for (const [title, text] of [
    ['in a JSON string', JSON.stringify(TEXT)],
    ['in a JSON string of a JSON string', JSON.stringify(JSON.stringify(TEXT))],
    ['in a member that is a JSON string', JSON.stringify({ name: 'answer', arguments: TEXT })],
    ['in its own summary', JSON.stringify({ summary_text: TEXT })],
    ['with a line break in a text', TEXT.replace('parcel is', 'parcel\nis')],
    ['with a trailing comma', TEXT.replace(/\}$/, ',}')],
    ['with single quotes', PYTHON],
    ['with a comment', TEXT.replace('"topics"', '/* topics */ "topics"')],
    ['with a trailing comma, after an example', `Like ${DRAFT}:\n${TEXT.replace(/\}$/, ',}')}`],
  ] as const) {
    it(`is read ${title}`, () => {
      const answer = parseAnswer(text);
      expect(answer).to.be.an('object');
      expect(summaryOf(text).replace('\n', ' ')).to.equal(ANALYSIS.summary_text);
    });
  }

  it('keeps quotes that are not escaped', () => {
    expect(summaryOf(TEXT.replace('A parcel', 'A "parcel"'))).to.equal('A "parcel" is late.');
  });

  for (const [text, reason] of [
    ["I'm sorry, but I can't assist with that.", 'prose'],
    ['', 'prose'],
    ['{}', 'no_summary'],
    ['[1,2]', 'no_summary'],
    ['{"summary": "The client waits.", "topics": []}', 'no_summary'],
    ['{"summary_text": " … "}', 'no_summary'],
    ['{"summary_text": {"type": "string"}}', 'no_summary'],
    [`<think>${TEXT}</think>`, 'prose'],
    [`<think>${TEXT}`, 'prose'],
    [`${TEXT}</think>I can't.`, 'prose'],
    [`<think>${DRAFT}</think>${TEXT.slice(0, 40)}`, 'cut_off'],
    [`${'['.repeat(40)}${TEXT}${']'.repeat(40)}`, 'no_summary'],
    ['{"summary_text": "The client lost {a card}', 'cut_off'],
    [TEXT.slice(0, -1), 'cut_off'],
    ['{"summary_text": "x", "findings":[{"name":"a"}', 'cut_off'],
    ['{"summary_text": "He said "a, b" and "c": "d".", "topics": []}', 'unreadable'],
  ] as const) {
    it(`is missing (${reason}) in ${JSON.stringify(text.slice(0, 60))}`, () => {
      expect(parseAnswer(text)).to.equal(reason);
    });
  }

  it('is never found in a text without one', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 500 }),
          json.map((value) => JSON.stringify(value)),
        ),
        (text) => {
          expect(parseAnswer(text)).to.be.a('string');
        },
      ),
    );
    for (let end = 0; end < TEXT.length - 1; end++) expect(parseAnswer(TEXT.slice(0, end)), `${end}`).to.be.a('string');
  });
});

import { parseAnswer } from '../../../activities/providers/llm/parse-answer.ts';

describe('The answer of a model', () => {
  it('is looked for in 100,000 hostile characters in less than a second', () => {
    const pieces = [
      '{',
      '[',
      '"',
      '\\',
      '\\"',
      '{"a":',
      '{"a":"',
      '"{',
      '"{\\',
      '{\\"',
      '[{',
      '{"summary_text":',
      '{"summary_text":"x" "',
      "{'summary_text':'",
      '<think>',
      '</think>',
      '<',
      '<|channel|>',
      '{}',
      '{"a":[',
      '{ ',
      '}',
      ' ',
      '\n',
      '`',
      '“a',
      'a"',
      '<details ',
    ];
    for (const begin of ['', '{"summary_text":"', '["', '<think>', '{"a":"']) {
      for (const piece of pieces) {
        const text = begin + piece.repeat(Math.ceil(100_000 / piece.length));
        const { user } = process.cpuUsage();
        parseAnswer(text);
        parseAnswer(`${text.slice(0, 19_000)}}`);
        expect((process.cpuUsage().user - user) / 1_000, JSON.stringify([begin, piece])).to.be.below(1_000);
      }
    }
  });
});

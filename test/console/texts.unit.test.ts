import { readdirSync } from 'node:fs';
import { ERRORS } from '../../contract/errors/errors.ts';
import type { ErrorCode } from '../../contract/errors/errors.ts';
import { FAILURES } from '../../contract/errors/failures.ts';
import { FIELD_ERRORS } from '../../contract/errors/field-errors.ts';
import { PROBLEMS } from '../../contract/errors/problems.ts';
import { AUDIT_ACTIONS } from '../../contract/values/constants.ts';
import { READINESS_PROBLEMS } from '../../contract/values/readiness.ts';
import { codeOf } from '../../contract/errors/sentence.ts';
import type * as audit from '../../console/src/texts/en/audit.ts';
import type * as common from '../../console/src/texts/en/common.ts';
import type * as errors from '../../console/src/texts/en/errors.ts';
import type * as shared from '../../console/src/texts/en/shared.ts';
import type * as system from '../../console/src/texts/en/system.ts';

type Texts = typeof audit & typeof common & typeof errors & typeof shared & typeof system;

/** Texts that may be the same as in English: names, codes and signs. */
const SAME = [
  /^(assistants\.webhook|settingTitles\.webhook_url)$/,
  /^labels\.atLeast$/,
  /^inputs\.email$/,
  /^(sessions\.audio|session\.fields\.problem|reviews\.onField)$/,
  /^roles\.operator$/,
  /^fields\.operators\./,
  /^shortcuts\.keys\.\d+\.keys\./,
  /^(assistant|batches\.filters|settingTitles)\.llm_?[mM]odel$/,
  /^usage\.groups\.model$/,
  /^units\.(ms|s)$/,
  /^assistant\.alerts\.format$/,
  /^workspaces\.roles\.auditor$/,
];

/** Returns all texts by path. The text of a function is the source of its result. */
function textsOf(value: unknown, path = ''): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[path, String(value).replace(/^\(.*?\) =>\s*/s, '')]];
  return Object.entries(value).flatMap(([key, each]) => textsOf(each, path === '' ? key : `${path}.${key}`));
}

const TEXTS = new URL('../../console/src/texts/', import.meta.url);
const namesOf = (language: string) =>
  readdirSync(new URL(`${language}/`, TEXTS)).filter((name) => name !== 'grammar.ts');

/** Returns the groups of all files of a language, as `texts` has them after all files are loaded. */
async function load(language: string): Promise<object> {
  const files = await Promise.all(
    namesOf(language).map((name) => import(new URL(`${language}/${name}`, TEXTS).href) as Promise<object>),
  );
  const { locale: _, language: __, ...groups } = Object.assign({}, ...(files as [])) as Texts;
  return groups;
}

const [en, ru, uz] = (await Promise.all(['en', 'ru', 'uz'].map(load))) as [Texts, Texts, Texts];

/** Returns the sentences of a table by code. */
function sentencesByCode(table: Record<string, string>): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const [key, sentence] of Object.entries(table)) (found[codeOf(key)] ??= []).push(sentence);
  return found;
}
const FIELD_SENTENCES = sentencesByCode(FIELD_ERRORS);
const REASON_SENTENCES = sentencesByCode({
  ...Object.fromEntries(Object.entries(PROBLEMS).map(([key, [, sentence]]) => [key, sentence])),
  ...FAILURES,
});
const first = (sentences: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(sentences).map(([code, [sentence]]) => [code, sentence]));

const english = textsOf({
  ...en,
  audit: { ...en.audit, actions: Object.fromEntries(AUDIT_ACTIONS.map((action) => [action, action])) },
  system: { ...en.system, problems: Object.fromEntries(READINESS_PROBLEMS.map((problem) => [problem, problem])) },
  problems: Object.fromEntries(
    Object.entries(ERRORS)
      .filter(([code]) => !(code in en.problem.codes))
      .map(([code, { title }]) => [
        code,
        // For codes without reasons, the other languages have a detail.
        { title, ...(ru.problems[code as ErrorCode]?.detail && { detail: title }), ...en.problems[code as ErrorCode] },
      ]),
  ),
  // The English texts are the messages of the API.
  fieldErrors: { ...first(FIELD_SENTENCES), ...en.fieldErrors },
  reasons: first(REASON_SENTENCES),
});

describe('The texts of the console', () => {
  it('have the same files in each language', () => {
    for (const language of ['ru', 'uz']) expect(namesOf(language)).to.deep.equal(namesOf('en'));
  });

  for (const [language, texts] of Object.entries({ ru, uz })) {
    it(`are complete and translated in ${language}`, () => {
      const found = new Map(textsOf(texts));
      expect([...found.keys()].sort()).to.deep.equal(english.map(([path]) => path).sort());
      const isLeft = ([path, text]: [string, string]) => {
        const own = found.get(path);
        return own?.trim() === '' || (own === text && !SAME.some((pattern) => pattern.test(path)));
      };
      expect(english.filter(isLeft)).to.deep.equal([]);
    });
  }

  // cspell:ignore replika
  it('have plural forms in Russian, and none in Uzbek', () => {
    const turns = (count: number) => [ru, uz].map((texts) => texts.sessions.turns(count));
    expect(turns(1)).to.deep.equal(['1 реплика', '1 ta replika']);
    expect(turns(3)).to.deep.equal(['3 реплики', '3 ta replika']);
    expect(turns(11)).to.deep.equal(['11 реплик', '11 ta replika']);
    expect(turns(21)).to.deep.equal(['21 реплика', '21 ta replika']);
  });

  it('use only parameters that each message has, and others only in brackets', () => {
    const paramsOf = (message: string) => [...message.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const always = (text = '') => paramsOf(text.replaceAll(/\[.*?\]/g, ''));
    const expectParams = (text: string | undefined, messages: readonly string[]) => {
      for (const message of messages) expect(always(message), message).to.include.members(always(text));
      expect(paramsOf(messages.join(' ')), text).to.include.members(paramsOf(text ?? ''));
    };
    for (const texts of [ru, uz]) {
      const fieldErrors: Record<string, string | undefined> = texts.fieldErrors;
      const reasons: Record<string, string | undefined> = texts.reasons;
      for (const [code, sentences] of Object.entries(FIELD_SENTENCES)) expectParams(fieldErrors[code], sentences);
      for (const [reason, sentences] of Object.entries(REASON_SENTENCES)) expectParams(reasons[reason], sentences);
    }
  });

  it('use one term for each concept', () => {
    // cspell:ignore maydon elektron vebhuk hudud oʻrnatma pochta tiklash yakunlan qayta ishga tushir chaqiruv solishtir
    const OTHERS = {
      ru: /код\S* восстановления|задержк|краткий итог|адрес\S* почты|доставить снова|учётн\S* запис|установк|вызов|(?<!о)предел/i,
      uz: /ish (maydon|hudud)|vebhuk|oʻrnatma\b|elektron (pochta|xat)|tiklash kod|yakunlan|qayta ishga tushir|chaqiruv|solishtir/i,
    };
    for (const [language, texts] of Object.entries({ ru, uz }))
      expect(textsOf(texts).filter(([, text]) => OTHERS[language as 'ru' | 'uz'].test(text))).to.deep.equal([]);
  });

  it('have no apostrophes except ʻ and ʼ in Uzbek', () => {
    expect(textsOf(uz).filter(([, text]) => /\p{L}[’‘`´]\p{L}/u.test(text))).to.deep.equal([]);
  });
});

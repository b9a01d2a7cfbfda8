import { expect } from 'chai';
import { ERRORS } from '../../contract/errors/errors.ts';
import type { ErrorCode } from '../../contract/errors/errors.ts';
import { FAILURES } from '../../contract/errors/failures.ts';
import { FIELD_ERRORS } from '../../contract/errors/field-errors.ts';
import { PROBLEMS } from '../../contract/errors/problems.ts';
import { codeOf } from '../../contract/errors/sentence.ts';
import { SCOPE_MEANINGS } from '../../contract/values/scope-meanings.ts';
import { TOKEN_SCOPES } from '../../contract/values/scopes.ts';
import { accuracy, experiment } from '../../console/src/texts/en-accuracy.ts';
import { actionHints, failureAdvice, stopReasons } from '../../console/src/texts/en-advice.ts';
import { alerts, assistantForm, fields, trial } from '../../console/src/texts/en-assistant.ts';
import { inputErrors } from '../../console/src/texts/en-form.ts';
import * as later from '../../console/src/texts/en-later.ts';
import { lists } from '../../console/src/texts/en-lists.ts';
import * as membership from '../../console/src/texts/en-members.ts';
import { overview } from '../../console/src/texts/en-overview.ts';
import { results, reviews } from '../../console/src/texts/en-reviews.ts';
import { start } from '../../console/src/texts/en-start.ts';
import { signInErrors } from '../../console/src/texts/en-sign-in.ts';
import { accountData, audit, tokens, workspaceDetails } from '../../console/src/texts/en-settings.ts';
import { uploads } from '../../console/src/texts/en-uploads.ts';
import { walk } from '../../console/src/texts/en-walk.ts';
import { en } from '../../console/src/texts/en.ts';
import { ru } from '../../console/src/texts/ru.ts';
import { uz } from '../../console/src/texts/uz.ts';

/** Texts that may be the same as in English: names, codes and signs. */
const SAME = [
  /^(session\.waterfall\.steps\.delivery|assistants\.webhook|assistant\.unversioned\.webhook_url)$/,
  /^common\.(curl|atLeast)$/,
  /^shell\.timeZones\.utc$/,
  /^login\.email$/,
  /^audit\.details\.(email|format)$/,
  /^start\.program\.languages\./,
  /^uploads\.formats$/,
  /^session\.actions\.(json|temporal)$/,
  /^session\.(audio|costs\.call|fields\.problem|waterfall\.attempt)$/,
  /^session\.roles\.names\.operator$/,
  /^compare\.named$/,
  /^fields\.operators\./,
  /^shortcuts\.keys\.\d+\.keys\./,
  /^sessions\.model$/,
  /^(assistant|batches\.filters|versions\.settings)\.llm_?[mM]odel$/,
  /^usage\.groups\.model$/,
  /^units\.(ms|s)$/,
  /^assistant\.alerts\.format(s\.\w+)?$/,
  /^workspaces\.roles\.auditor$/,
];

/** Returns all texts by path. The text of a function is the source of its result. */
function textsOf(value: unknown, path = ''): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[path, String(value).replace(/^\(.*?\) =>\s*/s, '')]];
  return Object.entries(value).flatMap(([key, each]) => textsOf(each, path === '' ? key : `${path}.${key}`));
}

const { providers: _, ...translated } = en;
/** The values that the schema of an analysis allows. */
const SENTIMENTS = ['positive', 'neutral', 'negative', 'mixed'];

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
const meanings = Object.fromEntries(TOKEN_SCOPES.map((scope) => [scope, SCOPE_MEANINGS[scope]]));
const english = textsOf({
  ...translated,
  session: {
    ...translated.session,
    result: { ...translated.session.result, sentiments: Object.fromEntries(SENTIMENTS.map((name) => [name, name])) },
  },
  problem: {
    ...translated.problem,
    codes: Object.fromEntries(
      Object.entries(ERRORS).map(([code, { title }]) => [
        code,
        // For codes without reasons, the other languages have a detail.
        {
          title,
          ...(ru.texts.problem.codes[code as ErrorCode]?.detail && { detail: title }),
          ...translated.problem.codes[code as ErrorCode],
        },
      ]),
    ),
    fieldCodes: { ...first(FIELD_SENTENCES), ...inputErrors, ...translated.problem.fieldCodes },
    details: first(REASON_SENTENCES),
  },
  failureAdvice,
  stopReasons,
  batches: { ...translated.batches, actionHints },
  workspaces: { ...translated.workspaces, ...workspaceDetails, roleHints: membership.roleHints },
  login: { ...translated.login, errors: signInErrors },
  account: { ...translated.account, data: accountData },
  invitation: membership.invitation,
  security: later.security,
  proof: later.proof,
  policy: later.policy,
  reset: later.reset,
  compare: { ...translated.compare, ...later.compare },
  confirmEmail: later.confirmEmail,
  link: later.link,
  members: membership.members,
  results: { ...translated.results, ...results },
  reviews,
  accuracy,
  experiment,
  walk,
  trial,
  shortcuts: { ...translated.shortcuts, keys: later.shortcutKeys },
  assistant: {
    ...translated.assistant,
    ...assistantForm,
    alerts,
    fields: { ...translated.assistant.fields, ...fields },
  },
  lists: { ...translated.lists, ...lists },
  overview: { ...translated.overview, ...overview },
  start,
  uploads,
  audit: { ...translated.audit, ...audit, actions: later.auditActions, details: later.auditDetails },
  tokens: { ...translated.tokens, ...tokens, meanings, connect: later.connectTool },
});

describe('The texts of the console', () => {
  for (const [language, { texts }] of Object.entries({ ru, uz })) {
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
    const turns = (count: number) => [ru, uz].map(({ texts }) => texts.sessions.turns(count));
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
    for (const { texts } of [ru, uz]) {
      const fieldCodes: Record<string, string | undefined> = texts.problem.fieldCodes;
      const details: Record<string, string | undefined> = texts.problem.details;
      for (const [code, sentences] of Object.entries(FIELD_SENTENCES)) expectParams(fieldCodes[code], sentences);
      for (const [reason, sentences] of Object.entries(REASON_SENTENCES)) expectParams(details[reason], sentences);
    }
  });

  it('use one term for each concept', () => {
    // cspell:ignore maydon elektron vebhuk hudud oʻrnatma pochta tiklash yakunlan qayta ishga tushir
    const OTHERS = {
      ru: /код\S* восстановления|задержк|краткий итог|адрес\S* почты|доставить снова|учётн\S* запис|установк/i,
      uz: /ish (maydon|hudud)|vebhuk|oʻrnatma\b|elektron (pochta|xat)|tiklash kod|yakunlan|qayta ishga tushir/i,
    };
    for (const [language, { texts }] of Object.entries({ ru, uz }))
      expect(textsOf(texts).filter(([, text]) => OTHERS[language as 'ru' | 'uz'].test(text))).to.deep.equal([]);
  });

  it('have no apostrophes except ʻ and ʼ in Uzbek', () => {
    expect(textsOf(uz).filter(([, text]) => /\p{L}[’‘`´]\p{L}/u.test(text))).to.deep.equal([]);
  });
});

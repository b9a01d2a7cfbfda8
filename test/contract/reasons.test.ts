import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import ts from 'typescript';
import { errorOfReply } from '../../activities/providers/provider-error.ts';
import { PROVIDER_FAULTS } from '../../contract/values/constants.ts';
import { ERRORS, type ErrorCode } from '../../contract/errors/errors.ts';
import { reasonOf } from '../../contract/errors/reasons.ts';
import { ru } from '../../console/src/texts/ru.ts';
import { uz } from '../../console/src/texts/uz.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const files = globSync('{activities,api,redaction,runtime,workflows}/**/*.ts', { cwd: ROOT }).map((file) =>
  ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true),
);

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/** Returns the initial value of a variable of the scopes around the identifier. */
function valueOf(name: ts.Identifier): ts.Expression | undefined {
  for (let scope: ts.Node = name; scope; scope = scope.parent) {
    if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) continue;
    for (const statement of scope.statements.filter(ts.isVariableStatement))
      for (const declared of statement.declarationList.declarations)
        if (declared.name.getText() === name.text) return declared.initializer;
  }
  return undefined;
}

/** Returns the sentences in an expression and in its variables. Each placeholder has the value 1. */
function sentencesOf(node: ts.Node): string[] {
  if (ts.isStringLiteral(node)) return node.text.includes(' ') ? [node.text] : [];
  if (ts.isTemplateExpression(node))
    return [[node.head.text, ...node.templateSpans.map(({ literal }) => `1${literal.text}`)].join('')];
  if (ts.isIdentifier(node)) {
    const value = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node ? undefined : valueOf(node);
    return value ? sentencesOf(value) : [];
  }
  return childrenOf(node).flatMap(sentencesOf);
}

function childrenOf(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  return children;
}

interface Site {
  sentences: string[];
  /** Source of the arguments. */
  args: string[];
}

/** Returns the calls of a function, or of the constructor of a class. */
function sitesOf(name: string, index: number): Site[] {
  const found: Site[] = [];
  for (const file of files)
    walk(file, (node) => {
      if (!(ts.isNewExpression(node) || ts.isCallExpression(node)) || node.expression.getText() !== name) return;
      const argument = node.arguments?.[index];
      if (argument)
        found.push({ sentences: sentencesOf(argument), args: node.arguments.map((each) => each.getText()) });
    });
  return found;
}

/** Returns the messages in objects that are not for Temporal alone. */
function messagesIn(folder: string): string[] {
  const found: string[] = [];
  for (const file of files.filter(({ fileName }) => fileName.startsWith(folder)))
    walk(file, (node) => {
      const isMember = ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node);
      if (!isMember || node.name.getText() !== 'message' || ts.isCallExpression(node.parent.parent)) return;
      found.push(...sentencesOf(ts.isPropertyAssignment(node) ? node.initializer : node.name));
    });
  return found;
}

const withoutReason = (sentences: string[]) => sentences.filter((sentence) => reasonOf(sentence) === undefined);

/** The console has one text for all details of these codes, or does not show them. */
const hasOneDetail = (code: string) =>
  [ru, uz].every(({ texts }) => texts.problem.codes[code as ErrorCode]?.detail !== undefined);

describe('The reasons of problems and failures', () => {
  it('exist for the details of every code that has several', () => {
    const sites = sitesOf('ApiError', 1).map(({ sentences, args }) => ({
      sentences,
      code: args[0]?.slice(1, -1) ?? '',
    }));
    const codes = Object.keys(ERRORS);
    const worded = sites.filter(({ code }) => codes.includes(code) && !hasOneDetail(code));
    expect(worded.length).to.be.above(60);
    expect(worded.filter(({ sentences }) => sentences.length === 0)).to.deep.equal([]);
    expect(withoutReason(worded.flatMap(({ sentences }) => sentences))).to.deep.equal([]);
  });

  it('exist for every failure of a provider, a download, a recording and a step', () => {
    const of = (name: string, prefix: string) =>
      sitesOf(name, 1)
        .flatMap(({ sentences }) => sentences)
        .filter((sentence) => !sentence.startsWith(' '))
        .map((sentence) => prefix + sentence);
    const written = [
      ...of('ProviderError', 'OpenAI '),
      ...of('DownloadError', 'example.com '),
      ...of('UnfitAudioError', 'example.com returned a file that '),
      ...of('internalError', ''),
      ...messagesIn('activities/'),
      ...of('budgetExceeded', ''),
    ];
    // Without parts of sentences.
    const sentences = written.filter((sentence) => /^(\S+ )?[a-z].*[a-z]{3}/i.test(sentence));
    expect(sentences.length).to.be.above(50);
    expect(withoutReason(sentences)).to.deep.equal([]);
  });

  it('exist with the HTTP status of a reply, and name the settings of the key', () => {
    for (const fault of PROVIDER_FAULTS)
      for (const step of ['transcription', 'analysis'] as const) {
        const details = { text: '', headers: undefined, providerRequestId: null };
        const provider = step === 'analysis' ? 'openai' : 'whisper';
        const { message } = errorOfReply({ provider, step, status: 429, ...details }, fault);
        expect(reasonOf(message)?.params, message).to.include({ status: '429' });
      }
    const message = 'OpenAI refused the API key (HTTP 401): check STT_API_KEY or OPENAI_API_KEY';
    const params = { name: 'OpenAI', status: '401', setting: 'STT_API_KEY', other: 'OPENAI_API_KEY' };
    expect(reasonOf(message)).to.deep.equal({ reason: 'key_refused', params });
  });
});

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import ts from 'typescript';
import { findSlowText, HOSTILE_CHARACTERS } from './support/hostile-text.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The folders whose code reads text from users, providers and receivers. */
const FOLDERS = 'activities,api,clients,contract,db,redaction,runtime,worker,workflows';

interface Expression {
  file: string;
  source: string;
  flags: string;
}

/** Files that run regular expressions of the user who starts the program. */
const OF_USERS = ['clients/submit/options.ts'];

/** Returns every regular expression in a file. Throws if one is not a literal or a single template. */
function readExpressions(file: string): Expression[] {
  const parsed = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ file, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    const isMade = (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';
    if (isMade && !OF_USERS.includes(file)) {
      const [source, flags] = node.arguments ?? [];
      found.push({ file, source: textOf(source), flags: flags ? textOf(flags) : '' });
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return found;
}

/** Returns the text of a string or template, with a word in place of each inserted name or list of names. */
function textOf(node: ts.Node | undefined): string {
  if (node && ts.isStringLiteralLike(node)) return node.text;
  const isOfNames = ({ expression }: ts.TemplateSpan) => /^\w+(?:\.join\('\|'\))?$/.test(expression.getText());
  if (node && ts.isTemplateExpression(node) && node.templateSpans.every(isOfNames)) {
    return node.head.text + node.templateSpans.map(({ literal }) => `word${literal.text}`).join('');
  }
  throw new Error(`${node?.getText()} must be a regular expression literal or one template, so that it can be tested`);
}

describe('Every regular expression of the service', () => {
  const expressions = globSync(`{${FOLDERS}}/**/*.{ts,tsx}`, {
    cwd: ROOT,
    exclude: ['**/node_modules/**', '**/dist/**'],
  })
    .sort()
    .flatMap(readExpressions);
  const different = new Map(expressions.map((each) => [`/${each.source}/${each.flags}`, each]));

  it('is found by this test', () => {
    expect(expressions.length).to.be.above(100);
  });

  it(`reads ${HOSTILE_CHARACTERS} hostile characters in linear time`, () => {
    const slow = [...different.values()].flatMap(({ file, source, flags }) => {
      const text = findSlowText(source, flags);
      return text === undefined ? [] : [`${file} /${source}/${flags}: ${text}`];
    });
    expect(slow).to.deep.equal([]);
  });
});

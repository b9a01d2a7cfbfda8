/** Reads the regular expressions of source files, also those that a template puts together from constants. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export interface Expression {
  file: string;
  source: string;
  flags: string;
}

/** Files that run regular expressions of the user who starts the program. */
const OF_USERS = ['clients/submit/options.ts'];

/** Returns every different regular expression in the folders. Throws if one cannot be read without running the program. */
export function readExpressions(folders: string): Expression[] {
  const files = globSync(`{${folders}}/**/*.{ts,tsx,js}`, { cwd: ROOT, exclude: ['**/node_modules/**', '**/dist/**'] });
  const found = files.sort().flatMap((file) => readFile(file));
  return [...new Map(found.map((each) => [`/${each.source}/${each.flags}`, each])).values()];
}

function readFile(file: string): Expression[] {
  const parsed = parse(file);
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push({ file, ...partsOf(node) });
    const isMade = (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';
    if (isMade && !OF_USERS.includes(file)) {
      const [source, flags] = (node.arguments ?? []).map((each) => sourceOf(each, parsed));
      if (source === undefined)
        throw new Error(`${file}: ${node.getText()} must have a text, a template or a constant`);
      found.push({ file, source, flags: flags ?? '' });
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return found;
}

const parse = (file: string) =>
  ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true);

function partsOf({ text }: ts.RegularExpressionLiteral): Omit<Expression, 'file'> {
  const end = text.lastIndexOf('/');
  return { source: text.slice(1, end), flags: text.slice(end + 1) };
}

/** Returns the text of a string, a template, a constant or `/…/.source`; undefined: of something else. */
function sourceOf(node: ts.Expression, file: ts.SourceFile): string | undefined {
  if (ts.isTaggedTemplateExpression(node))
    return textOfTemplate(node.template, file, ({ rawText, text }) => rawText ?? text);
  if (ts.isIdentifier(node)) return constantOf(node.text, file);
  if (ts.isStringLiteral(node)) return node.text;
  if (ts.isTemplateLiteral(node)) return textOfTemplate(node, file, ({ text }) => text);
  if (!ts.isPropertyAccessExpression(node) || node.name.text !== 'source') return undefined;
  return ts.isRegularExpressionLiteral(node.expression) ? partsOf(node.expression).source : undefined;
}

/** Returns the text with the inserted constants, and with a word in place of what is known only when the program runs. */
function textOfTemplate(
  node: ts.TemplateLiteral,
  file: ts.SourceFile,
  read: (part: ts.TemplateLiteralLikeNode) => string,
): string {
  if (!ts.isTemplateExpression(node)) return read(node);
  const inserted = node.templateSpans.map(
    ({ expression, literal }) => (constantOf(expression.getText(), file) ?? 'word') + read(literal),
  );
  return read(node.head) + inserted.join('');
}

/** Returns the text of a constant of the file, or of one that the file imports. */
function constantOf(name: string, file: ts.SourceFile): string | undefined {
  for (const statement of file.statements) {
    if (ts.isVariableStatement(statement)) {
      const declared = statement.declarationList.declarations.find((each) => each.name.getText() === name);
      if (declared) return declared.initializer && sourceOf(declared.initializer, file);
    }
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const path = statement.moduleSpecifier.text;
    const names = statement.importClause?.namedBindings;
    const isImported = names && ts.isNamedImports(names) && names.elements.some((each) => each.name.text === name);
    if (isImported && path.startsWith('.')) {
      return constantOf(name, parse(relative(ROOT, join(ROOT, dirname(file.fileName), path))));
    }
  }
  return undefined;
}

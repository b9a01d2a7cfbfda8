/** Loaded with the first conversation. */
import { decodeText, FormatError, readConversation } from 'conversation-analysis-client/uploads';
import { formatProblems } from '../../texts/en-samples.ts';
import { texts } from '../../texts/index.ts';

const words = texts.start.conversation;
const problems = { ...formatProblems, ...words.problems };

export { decodeText, readConversation };

/** Returns what could not be read and where, or undefined for other errors. */
export function explainUnreadable(error: unknown): string | undefined {
  if (!(error instanceof FormatError)) return undefined;
  const { line, item = 0, problem } = error;
  return `${line === undefined ? words.message(item) : words.line(line)}: ${problems[problem]}`;
}

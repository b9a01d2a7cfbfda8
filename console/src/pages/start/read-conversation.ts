/** Loaded with the first conversation. */
import { texts } from '../../texts/index.ts';
import { decodeText, FormatError, readConversation } from 'conversation-analysis-client/uploads';

const words = texts.start.conversation;

export { decodeText, readConversation };

/** Returns what could not be read and where, or undefined for other errors. */
export function explainUnreadable(error: unknown): string | undefined {
  if (!(error instanceof FormatError)) return undefined;
  const { line, item = 0, problem } = error;
  return `${line === undefined ? words.message(item) : words.line(line)}: ${words.problems[problem]}`;
}

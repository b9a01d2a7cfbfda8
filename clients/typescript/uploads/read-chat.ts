/** Reads exported chats of WhatsApp and Telegram. */
import type { TurnInput } from './turn-input.ts';
import type { Read } from './read-conversation.ts';
import { afterChatStamp, cleanName } from './stamps.ts';

/** Attachments and media that were not exported. Text behind them on lines of their own is their caption. */
const OMITTED =
  /^\u200e?(?:<[^<>]{1,200}>|[^\n]{1,200}\((?:file attached|Datei angehängt|файл добавлен|archivo adjunto|fichier joint)\)|\u200e.*)$/u;

const AUTHOR = /^([^:\t]{1,64}):(?:\s(.*))?$/su;
/** Telegram writes the author and the time on a line before the message. */
const HEAD = /^(.{1,64}), \[([^[\]]{8,40})\]$/su;

interface Message {
  role: string | undefined;
  text: string;
}

/** Returns the message that a line begins; undefined if it continues one. */
type ReadLine = (line: string) => Message | undefined;

const ofWhatsApp: ReadLine = (line) => {
  const message = afterChatStamp(line);
  if (message === undefined) return undefined;
  const [, role, said = ''] = AUTHOR.exec(message) ?? [];
  return { role, text: OMITTED.test(said) ? '' : said };
};

const ofTelegram: ReadLine = (line) => {
  const [, role, stamp = ''] = HEAD.exec(line.trim()) ?? [];
  return role !== undefined && afterChatStamp(`[${stamp}] `) === '' ? { role, text: '' } : undefined;
};

/** Returns the messages, or undefined for other text. Skips notices and omitted media. */
export function readChat(text: string): Read | undefined {
  const lines = text.split('\n');
  const first = lines.find((line) => line.trim() !== '') ?? '';
  for (const [format, read] of [
    ['whatsapp', ofWhatsApp],
    ['telegram', ofTelegram],
  ] as const) {
    if (!read(first)) continue;
    const messages: Message[] = [];
    for (const line of lines) {
      const last = messages.at(-1);
      const message = line === '' ? undefined : read(line);
      if (message) messages.push(message);
      else if (last && line.trim() !== '') last.text = last.text === '' ? line : `${last.text}\n${line}`;
    }
    const turns = messages.flatMap(({ role, text: said }): TurnInput[] =>
      role === undefined || said.trim() === '' ? [] : [{ role: cleanName(role), text: said }],
    );
    if (turns.length > 0) return { format, turns, skipped: messages.length - turns.length };
  }
  return undefined;
}

/** Finds code words, and words and single characters of passwords: the answer to a question for them, or after "the code word is". */
import type { Token } from './tokens.ts';

/** What protects an account, other than digits. Apostrophes are left out. */
const SECRET =
  /pass ?(?:word|phrase)|(?:code|memorable|secret|security|safe) ?word|парол|(?:кодов|контрольн|секретн|код|махфий)\p{L}{0,3} (?:слов|сўз|суз)|parol|(?:kod|maxfiy|махфий) ?soz/u;
/** Asks for it: "could you tell me your code word", "what is your password". A question of these words alone does, too. */
const REQUEST =
  /\b(?:give|tell|say|read|spell|confirm)\b|\bwhat(?:s| is| are)? (?:\w{1,12} ){1,8}|назов|скаж|продикт|подскаж|сообщ|как(?:ое|ой|ая) |айтинг|қандай|ayting|qanday/u;
const POLITE =
  /^(?:and|your|the|of|please|now|а|и|ваш|ваше|вашего|пожалуйста|теперь|sizning|iltimos|\p{L}{0,12}(?:ingiz|ингиз|inchi|инчи)\p{L}{0,4})$/u;
/** A conversation about a password does not ask for it. */
const OTHER_SUBJECT =
  /\b(?:forg[eo]t|reset|chang|new |shar|never|not |dont|did|does|send|sent|work|after|when|enter|show|error|see )|забы|сброс|смен|измен|новы|работа|приш|отправ|подход|помн|ввод|ввел|не |unut|ozgart|yangi|yubor|kirit|унут|ўзгарт|янги|юбор|кирит/u;
/** Follow-up questions, such as "And the seventh?", and replies such as "Take your time." are shorter than this. */
const FOLLOW_UP_CHARACTERS = 40;

const list = (words: string) => new Set(words.split(' '));

/** Words around a secret that are not a part of it. */
const AROUND = list(
  'its it is the a my mine our that thats of course sure yes yeah ok okay so um uh well and then code word words password passcode memorable secret security ' +
    'letter letters character characters digit first second third fourth fifth sixth seventh eighth ninth last one i think believe should be would try ' +
    'это мой мое моё у меня слово кодовое секретное контрольное пароль буква букву первая вторая третья четвертая пятая последняя вот да так ну сейчас конечно а и ' +
    'bu mening sozim sozi kod maxfiy parol parolim harfi harf ha xop бу менинг сўзим сўзи код махфий парол паролим ҳарфи ҳарф ҳа хўп',
);
/** Words of answers without a secret. */
const DENIALS = list(
  'dont know not no forgot forgotten remember cant what which why where sorry wrong pardon never none here there thanks thank hello ' +
    'не нет знаю помню забыл забыла какое какой какую что зачем почему где спасибо алло ' +
    'yoq bilmayman unutdim eslay nima qaysi qanday rahmat йўқ билмайман унутдим нима қайси қандай раҳмат',
);
/** Words that put an answer off. */
const WAITS = /\b(?:moment|minute|wait|sec|one second)\b|минут|секунд|сейчас|подожд|kuting|daqiqa|кутинг|дақиқа/u;
const MAX_WORDS = 4;
const plain = (text: string): string => text.replaceAll(/['’ʻʼ‘`´]/g, '').toLowerCase();

interface Secret {
  value: string;
  ranges: { first: number; last: number }[];
}

/** @param texts of the turns that the tokens belong to. */
export function findSecrets(tokens: readonly Token[], texts: readonly string[], speakers: readonly string[]): Secret[] {
  const starts: number[] = [];
  for (const [index, { turn }] of tokens.entries()) starts[turn] ??= index;
  const secrets: Secret[] = [];
  /** Who asked for a secret last. */
  let asker: string | undefined;
  for (const [turn, text] of texts.entries()) {
    const said = plain(text);
    const speaker = speakers[turn] ?? '';
    const own = { first: starts[turn] ?? tokens.length, end: firstOfNext(starts, turn, tokens.length) };
    if (asker !== undefined && speaker !== asker) {
      if (WAITS.test(said)) continue;
      secrets.push(...readAnswer(tokens, own.first, own.end));
    }
    secrets.push(...readStatement(tokens, own.first, own.end));
    const isFollowUp = speaker === asker && said.length < FOLLOW_UP_CHARACTERS;
    if (asksForSecret(said)) asker = speaker;
    else if (speaker === asker && !isFollowUp) asker = undefined;
  }
  return secrets;
}

/** Returns whether one of the sentences asks for a secret. */
const asksForSecret = (said: string): boolean =>
  said.split(/[.?!]/).some((sentence) => {
    if (!SECRET.test(sentence) || OTHER_SUBJECT.test(sentence)) return false;
    const others = sentence.replace(SECRET, '').split(/[^\p{L}]+/u);
    return REQUEST.test(sentence) || others.every((word) => word === '' || POLITE.test(word) || AROUND.has(word));
  });

function firstOfNext(starts: readonly (number | undefined)[], turn: number, end: number): number {
  for (let next = turn + 1; next < starts.length; next++) if (starts[next] !== undefined) return starts[next] ?? end;
  return end;
}

/** Returns the words of a short answer, without those around them. */
function readAnswer(tokens: readonly Token[], first: number, end: number): Secret[] {
  const ranges: Secret['ranges'] = [];
  let words = 0;
  for (let at = first; at < end; at++) {
    const token = tokens[at];
    if (!token || (token.isSentenceEnd && words > 0)) break;
    const isWord = token.isWord || token.digits !== undefined;
    if (!isWord || token.isBarrier) continue;
    const folded = plain(token.folded);
    if (DENIALS.has(folded) || token.label === 'ordinary') return [];
    if (!token.isSpelled && !token.letters && (AROUND.has(folded) || (token.isFiller && !token.isLetterName))) continue;
    const last = ranges.at(-1);
    if (last?.last === at - 1) last.last = at;
    else ranges.push({ first: at, last: at });
    if (!token.isSpelled || token.letters) words++;
    if (words > MAX_WORDS) return [];
  }
  return ranges.map((range) => ({ value: valueOf(tokens, range), ranges: [range] }));
}

const valueOf = (tokens: readonly Token[], { first, last }: { first: number; last: number }): string =>
  tokens
    .slice(first, last + 1)
    .map(({ folded }) => folded)
    .join(' ');

/** Words between "code word" and the word itself. */
const LINKS = list('is it its : - – — = это у меня bu бу');
const CODE_WORD = /^(?:word|codeword|слово|soz|sozi|sozim|сўз|сўзи|сўзим)$/u;
const PASSWORD = /^(?:pass(?:word|phrase|code)|парол[ья]|parol\p{L}{0,4})$/u;
const LETTERS_AND_DIGITS = /^(?=\D{0,40}\d)(?=\d{0,40}\p{L})[\p{L}\d]{4,40}$/u;

/** Returns the word after "the code word is", and letters with digits after "password": "wrong" can follow that as well. */
function readStatement(tokens: readonly Token[], first: number, end: number): Secret[] {
  for (let at = first; at < end; at++) {
    const name = plain(tokens[at]?.folded ?? '');
    const isPassword = PASSWORD.test(name);
    if (!isPassword && !CODE_WORD.test(name)) continue;
    let next = at + 1;
    while (next < end && LINKS.has(plain(tokens[next]?.folded ?? ''))) next++;
    const [word, after] = [tokens[next], tokens[next + 1]];
    const folded = plain(word?.folded ?? '');
    const isLast = next + 1 >= end || after?.isWord === false;
    const isWord = next > at + 1 && isLast && folded.length > 2 && !DENIALS.has(folded) && !AROUND.has(folded);
    const isSecret = isPassword ? LETTERS_AND_DIGITS.test(folded) : isWord;
    if (next < end && word?.isWord && isSecret) return [{ value: folded, ranges: [{ first: next, last: next }] }];
  }
  return [];
}

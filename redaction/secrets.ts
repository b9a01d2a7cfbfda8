/** Finds code words, and words and single characters of passwords: the answer to a question for them, or after "the code word is". */
import type { Token } from './tokens.ts';

/** What protects an account, other than digits. Apostrophes are left out. */
const SECRET =
  /(?:pass ?(?:word|phrase)|(?:code|memorable|secret|security|safe) ?word|парол|(?:кодов|контрольн|секретн|код|махфий)\p{L}{0,3} (?:слов|сўз|суз)|parol|(?:kod|maxfiy|махфий) ?soz)\p{L}{0,12}/u;
/** Asks for it: "could you tell me your code word", "what is your password". */
const REQUEST =
  /\b(?:give|tell|say|read|spell|confirm|verify|provide|ask (?:you )?for)\b|\b(?:i|we)(?:ll|d)?(?: also)? need\b|\b(?:letter|character)s?\b|букв|символ|знак|harf|ҳарф|belgi|белги|\b(?:can|may|could) i (?:please )?(?:have|get)\b|\bwhat(?:s| is| are)? (?:\w{1,12} ){1,8}|назов|узнать|скаж|продикт|подскаж|сообщ|подтверд|мне нуж|как(?:ое|ой|ая) |айтинг|қандай|тасдиқла|керак|ayting|qanday|tasdiqla|kerak|nima(?! uchun)|нима(?! учун)|^ ?(?:and |so |а |и )?(?:your|ваш\p{L}{0,3}) /u;
/** A conversation about a password does not ask for it. */
const OTHER_SUBJECT =
  /\b(?:forg[eo]t|reset|chang|new |shar|never|not |dont|did|does|send|sent|work|after|when|enter|show|error|see )|забы|сброс|смен|измен|новы|работа|приш|отправ|подход|помн|ввод|ввел|не |unut|ozgart|yangi|yubor|kirit|унут|ўзгарт|янги|юбор|кирит/u;
const THANKS = /thank|perfect|great|lovely|спасиб|благодар|отлично|rahmat|раҳмат/u;
/** Follow-up questions, such as "And the seventh?", and replies such as "Take your time." are shorter than this. */
const FOLLOW_UP_CHARACTERS = 40;

const list = (words: string) => new Set(words.split(' '));

/** Words around a secret that are not a part of it. */
const AROUND = list(
  'its it is the a my mine our that thats of course sure yes yeah ok okay so um uh well and then code word words password passcode memorable secret security ' +
    'letter letters character characters digit just moment minute sec wait let me look see check first second third fourth fifth sixth seventh eighth ninth last one i think believe should be would try right correct all lowercase uppercase capital small ' +
    'это мой мое моё у меня слово кодовое секретное контрольное пароль буква букву первая вторая третья четвертая пятая последняя вот да так ну заглавная большая маленькая сейчас минуту минутку секунду секундочку конечно а и ' +
    'bu mening sozim sozi kod maxfiy parol parolim harfi harf katta kichik ha xop бу менинг сўзим сўзи код махфий парол паролим ҳарфи ҳарф катта кичик ҳа хўп',
);
/** Words of answers without a secret. */
const DENIALS = list(
  'dont know not no forgot forgotten remember cant what which why where sorry wrong pardon never none here there thanks thank hello please again ' +
    'не нет знаю помню забыл забыла какое какой какую что зачем почему где спасибо алло пожалуйста еще раз верно верное неверно неверное правильное принято подходит обязательно нужно есть было ' +
    'yoq bilmayman unutdim eslay nima qaysi qanday rahmat iltimos kerak togri йўқ билмайман унутдим нима қайси қандай раҳмат илтимос керак тўғри',
);
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
    if (asker !== undefined && speaker !== asker)
      for (const secret of findAnsweredSecrets(tokens, own.first, own.end)) secrets.push(secret);
    secrets.push(...findStatedSecrets(tokens, text, own.first, own.end));
    const isFollowUp = said.length < FOLLOW_UP_CHARACTERS && !THANKS.test(said);
    if (asksForSecret(said)) asker = speaker;
    else if (speaker === asker && !isFollowUp) asker = undefined;
  }
  return secrets;
}

/** Returns whether one of the sentences asks for a secret. */
const asksForSecret = (said: string): boolean =>
  said
    .split(/[.?!]/)
    .some((sentence) => SECRET.test(sentence) && !OTHER_SUBJECT.test(sentence) && REQUEST.test(sentence));

function firstOfNext(starts: readonly (number | undefined)[], turn: number, end: number): number {
  for (let next = turn + 1; next < starts.length; next++) if (starts[next] !== undefined) return starts[next] ?? end;
  return end;
}

/** Returns the words of a short answer, without those around them. */
function findAnsweredSecrets(tokens: readonly Token[], first: number, end: number): Secret[] {
  const ranges: Secret['ranges'] = [];
  let words = 0;
  for (let at = first; at < end; at++) {
    const token = tokens[at];
    if (!token || (token.isSentenceEnd && ranges.length > 0 && !isCharacter(tokens[at + 1]))) break;
    const isWord = token.isWord || token.digits !== undefined;
    const last = ranges.at(-1);
    if (!isWord || token.isBarrier) continue;
    const folded = plain(token.folded);
    if (DENIALS.has(folded) || token.label === 'ordinary') return [];
    const isAround = AROUND.has(folded) || token.isFiller;
    if (isAround && !token.isSpelled && !token.letters) continue;
    if (last?.last === at - 1) last.last = at;
    else if (last?.last !== at) ranges.push({ first: at, last: at });
    if (!token.isSpelled && !isCharacter(token)) words++;
    if (words > MAX_WORDS) return [];
  }
  return ranges.map((range) => ({ value: valueOf(tokens, range), ranges: [range] }));
}

/** Returns whether a token is written between two others without a space: "Xk9!mm". */
const isInside = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.isAttached === true && tokens[at + 1]?.isAttached === true && tokens[at + 1]?.turn === tokens[at]?.turn;

const isCharacter = (token: Token | undefined): boolean => token?.folded.length === 1 || token?.number !== undefined;

const valueOf = (tokens: readonly Token[], { first, last }: { first: number; last: number }): string =>
  tokens
    .slice(first, last + 1)
    .map(({ folded, isAttached }) => (isAttached ? folded : ` ${folded}`))
    .join('')
    .trim();

/** Words between "code word" and the word itself. */
const LINKS = list('is it its : - – — = " “ „ « это у меня bu бу');
const CODE_WORD = /^(?:word|codeword|passphrase|слово|soz|sozi|sozim|сўз|сўзи|сўзим)$/u;
const PASSWORD = /^(?:pass(?:word|code)?|парол\p{L}{0,4}|parol\p{L}{0,4})$/u;
const LETTERS_AND_DIGITS = /^(?=\D{0,40}\d)(?=\d{0,40}\p{L})\S{4,40}$/u;
/** Languages without a word for "is". */
const NEEDS_NO_LINK = /\P{ASCII}|soz/u;
const MAX_STATED = 2;

/** Tokens of a text without spaces. Longer ones are not secrets. */
const MAX_CHUNK = 40;
/** Returns the words after "the code word is", or letters with digits after "password is". */
function findStatedSecrets(tokens: readonly Token[], text: string, first: number, end: number): Secret[] {
  const said = plain(text);
  const mayName = SECRET.test(said) && !OTHER_SUBJECT.test(said);
  const isRequest = mayName && REQUEST.test(said);
  for (let at = first; at < end; at++) {
    const name = plain(tokens[at]?.folded ?? '');
    const isPassword = PASSWORD.test(name);
    if (!isPassword && !(mayName && CODE_WORD.test(name))) continue;
    let next = at + 1;
    while (next < end && LINKS.has(plain(tokens[next]?.folded ?? ''))) next++;
    let last = next;
    while (last < end && last <= next + MAX_STATED && tokens[last]?.isWord) last++;
    const words = tokens.slice(next, last).map(({ folded }) => plain(folded));
    const isOne =
      words.length > 0 && words.length <= MAX_STATED && (next > at + 1 || (!isRequest && NEEDS_NO_LINK.test(name)));
    const isWord = isOne && words.every((word) => !DENIALS.has(word) && !AROUND.has(word)) && words.join('').length > 2;
    if (isPassword) {
      last = endOfChunk(tokens, next, end);
      // "pass: Qwerty12", but "boarding pass A12345"
      if (name === 'pass' && next === at + 1) continue;
      if (!LETTERS_AND_DIGITS.test(valueOf(tokens, { first: next, last: last - 1 }))) continue;
    } else if (!isWord) continue;
    return [{ value: valueOf(tokens, { first: next, last: last - 1 }), ranges: [{ first: next, last: last - 1 }] }];
  }
  return [];
}

/** Returns the end of what is written without spaces. */
function endOfChunk(tokens: readonly Token[], first: number, end: number): number {
  let last = first + 1;
  while (
    last < Math.min(end, first + MAX_CHUNK) &&
    (tokens[last]?.isWord || tokens[last]?.digits !== undefined ? tokens[last]?.isAttached : isInside(tokens, last))
  )
    last++;
  return last;
}

/** Each rule of redaction has cases of its own: shares over dialogues leave room for a broken rule. */
import { redact } from '../../redaction/redact.ts';
import type { RuleKind } from '../../contract/values/redaction-kinds.ts';

const toTurns = (text: string) =>
  text
    .split(' / ')
    .map((line) => ({ role: line.startsWith('>') ? 'operator' : 'client', text: line.replace(/^>/, '') }));

const hide = (text: string, kinds?: readonly RuleKind[]) => redact(toTurns(text), kinds).turns;

/** Rule: texts with what must be hidden in braces. Turns are separated by " / "; the operator's begin with `>`. */
const RULES: Record<string, string[]> = {
  'a phone can follow "area code" or "код города"': [
    'My number: area code {212 664 7665}',
    'area code {seven three seven, five five five, oh one one eight}',
    'мой телефон: код города {495, 123 45 67}',
  ],
  'a number to text to is a phone, and prices are none': [
    '>And a phone we can text? / {503 881 2274}',
    'it was 54990, and now it is 57490',
    '54 990, а в магазине 57 490',
  ],
  'digits that are counted, and not the last ones, are a code': [
    '>The three digits on the back? / {914}',
    '>шесть цифр из смс? / {четыреста двенадцать ноль три семь}',
    '>6 xonali raqamni ayting / {481 027}',
  ],
  'a number with a plus is a phone, after any word': [
    'order {+998901234567}',
    'код {+7 916 123-45-67}',
    'the card is {+49 151 12345678}',
  ],
  'a card is a card, after any word': [
    'order 4111111111111111'.replace(/\d+/, '{$&}'),
    'телефон {4111 1111 1111 1111}',
  ],
  'a long number without a check digit is what the word before it says': [
    'phone {4915112345678}',
    'ПИНФЛ {31205890120044}',
    'карта {4111 1111 1111 1112}',
  ],
  'passports and IBANs are written in lower case, too': [
    'pasport {aa1234567}',
    'pasport seriyasi AA, raqami {7304215}',
    'passport {C01X00T47}',
    'загранпаспорт {75 1234567}',
    'iban {gb29nwbk60161331926819}',
    'no1234567 is the order',
    'паспорт, ад {1234567}',
    'I play on an RTX4090TI',
  ],
  'a code or password is written without a space, or in quotes': [
    'пароль "{Zima2024}"',
    'my password is “{Spring24}”',
    'pass: {Qwerty12}',
    'boarding pass A12345',
    'parolim {parol123}',
    'cvv2 {512}',
  ],
  'an address begins after the question for it': [
    '>Telefon? / {97 444 55 66}. / >Pochta? / Ha, {aziza nuqta karimova kuchukcha gmail nuqta com}',
    '>Телефон? / {девяносто семь, четыреста сорок четыре, пятьдесят пять шестьдесят шесть}. / >А почта? / {ольга точка белова собака mail точка ru}',
    '>Phone? / {415 555 0198}. / >And your email? / {john dot smith at gmail dot com}',
    '>Email? / {john dot} / >okay / {smith at gmail dot com}',
  ],
  'a code of an order is no code': ['>Код товара? / 4829', 'код заказа 4829', 'код карты {512}'],
  'each character of a password is hidden': [
    '>What is your password? / capital {K}, {t}, {t}, {y}',
    '>Spell the password. / {k e t t y}',
    '>Могу я узнать ваш пароль? / {Т},{О},{М},{К},{А}',
    ">The third letter of your password? / It's a {K}.",
  ],
  'a document can have its number after "number", and so can the next one': [
    'passport series {4509} number {612345}',
    'pasport seriya {4509} raqam {612345}',
  ],
  'decimals, dates and versions are no parts of a number': [
    'code 12,50',
    'card until 12.05.2027',
    'card 10.0.12.255 and 6.5.2',
  ],
  'digits with a thousands comma are a code after a question or a word for it, and otherwise a price': [
    '>What is the code? / {482,913}',
    'the code is {4,812}',
    'код подтверждения {19,384}',
    '>How much? / 482,913',
    'I have a PIN and 1,250 points',
    '>And the code? / It cost $4,812 in all.',
    '>We texted you six digits. Can you read them to me? / {730,164}.',
    '>What PIN did you choose? / I think it is {4,071}.',
  ],
  'a code can be said as one number': [
    '>The three digits on the back? / {six hundred and four}',
    '>Какие четыре цифры? / {семь тысяч двести девятнадцать}',
    '>Uch raqamni ayting / {olti yuz to‘rt}',
    '>How many did you order? / six hundred and four',
  ],
  'millions in words are a number only after a word for it': [
    '>Your TIN? / {three hundred one million, two hundred thirty-four thousand, five hundred sixty-seven}',
    'ИНН {триста один миллион двести тридцать четыре тысячи пятьсот шестьдесят семь}',
    '>Your TIN? / We sold three million two hundred thousand lamps.',
    'Оборот триста один миллион двести тысяч пятьсот рублей',
  ],
  'a number sign does not divide a document': [
    'passport {4508 № 612345}',
    'паспорт {AA № 1234567}',
    'заказ № 12345678, паспорт {AA1234567}',
    'passport № {4410982}',
    'my passport is {4512 # 908733}',
    'passport AB, number {4410982}',
    'order # 4410982',
  ],
  'Russian numerals in Latin letters are numerals': [
    'SMS kod {sorok vosem dvenadsat}',
    'telefonim {devyanosto odin dvesti tridtsat chetyre pyatdesyat shest vosemdesyat}',
    'Sto foiz to‘g‘ri, raqam emas',
  ],
  'a code word, and single characters of a password, are codes': [
    '>What is your code word? / It’s {Bluebird}.',
    '>The third character of your password? / {K} / >And the fifth? / {four}',
    '>Назовите кодовое слово. / Минутку. / >Хорошо. / {Снегирь}.',
    '>Назовите пароль. / {К семь М два}',
    '>Parolingizning uchinchi harfi? / {K}',
    '>Код сўзингизни айтинг. / {Булбул}',
    'Кодовое слово у меня {подсолнух}.',
    'My password is {Hunter22}, please check',
    'У меня пароль: {Zima2024!mm}',
    '>Ваше кодовое слово? / {Одуванчик}. / >Спасибо. Чем могу помочь? / Одуванчик на упаковке стёрся.',
    '>Подтвердите, пожалуйста, секретное слово. / Сейчас... {Пингвин}.',
    '>I’ll ask for two letters of your password. The first one? / {T}, {like tango}. / >And the last one? / {nine}.',
    '>Third, fifth and last characters of your password? / {B}. {4}. {Y}. / >Thanks. Shelf B.',
    '>Ваш пароль для входа по телефону? / {Медведь сорок два}',
    'My code word is {purple walrus}, by the way',
    'Здравствуйте, кодовое слово {одуванчик}.',
    'maxfiy soʻzim {chinor}',
  ],
  'a conversation about passwords has no code word': [
    '>Did you change your password? / Not yet.',
    '>What is your password? / Why do you need it?',
    '>Please do not tell me your password. What is your name? / Ann.',
    '>What error do you see after the password? / Invalid login.',
    '>Пароль подходит? / Пишет ошибка.',
    '>Вы помните пароль? / Вроде помню.',
    '>Could you tell me your code word? / I don’t remember it.',
    'The password is wrong again',
    '>Which word is on the label? / Fragile',
    'Кодовое слово не подходит',
    '>Кодовое слово назовите, пожалуйста',
    '>What is your code word? / One moment, let me look.',
    '>Код сўзингиз тасдиқланди / раҳмат',
    '>And the third letter? / K',
  ],
  'a word after "password is" is a password if it has a digit': [
    'My password is {sunshine9}, not sunshine',
    'Пароль у меня {солнышко1}, не подходит',
    'The password is expired. Parol: kiriting',
  ],
  'a false start of an address is hidden with it': [
    'It’s {anna dot}, no wait, {ann dot hill at mail dot com}.',
    'это {анна точка}, ой нет, {аня точка петрова собака мейл точка ру}',
    'Mail {jon.dow@}... wait, {john.dow@mail.com}',
    'I said no, it is {ann dot hill at mail dot com}',
  ],
  'a leading zero and groups after a comma are no decimals': [],
};

describe('Rules of redaction', () => {
  for (const [rule, cases] of Object.entries(RULES)) {
    it(rule, () => {
      for (const marked of cases) {
        const hits = hide(marked.replaceAll(/[{}]/g, '')).map(
          ({ role, text }) => (role === 'operator' ? '>' : '') + text,
        );
        const hidden = hits.join(' / ').replaceAll(/\[[A-Z]+_\d\]/g, '[]');
        expect(hidden).to.equal(marked.replaceAll(/\{[^}]*\}/g, '[]'));
      }
    });
  }

  for (const [what, text, kinds, expected] of [
    ['an ID with the length of a card', 'PINFL 31205890120045', ['card'], 'PINFL [CARD_1]'],
    [
      'a code that looks like a part of the card',
      '>Card and the three digits on the back? / 914',
      ['code'],
      '[CODE_1]',
    ],
    ['a card in odd groups', 'my card, not my phone: 427 638 014 455 20', ['card', 'code'], '[CARD_1]'],
    ['a phone with 13 digits', '+49 151 12345678', ['phone'], '[PHONE_1]'],
    ['a phone that may be a card', 'phone 4915112345678', ['card'], 'phone [CARD_1]'],
    ['several numbers that nothing separates', 'phones 2345678345678945678901', ['phone'], 'phones [PHONE_1]'],
  ] as const) {
    it(`hides ${what} if only one of its kinds was requested`, () =>
      expect(hide(text, kinds).at(-1)?.text).to.match(new RegExp(`${expected.replaceAll(/[[\]]/g, '\\$&')}$`)));
  }

  it('hides a phone before an address if only phones were requested', () => {
    const turns = hide('97 444 55 66. / >How do we write to you? / bob at mail dot ru', ['phone']);
    expect(turns[0]?.text).to.equal('[PHONE_1].');
  });

  it('hides no value of a kind that was not requested', () => {
    for (const [text, kinds] of [
      ['phone +998901234567', ['card', 'code']],
      ['AA1234567', ['phone']],
      ['code 4812', ['phone', 'email']],
      ['a@b.com', ['card']],
    ] as const)
      expect(hide(text, kinds)[0]?.text).to.equal(text);
  });

  it('keeps no original with 13 digits or more, which may be a card, and none of a card or a code', () => {
    const isKept = (text: string) => redact(toTurns(text)).items.map(({ original }) => original !== null);
    expect(isKept('+998901234567')).to.deep.equal([true]); // 12 digits
    expect(isKept('+4915112345678')).to.deep.equal([false]); // 13 digits
    expect(isKept('ИНН 500100732259')).to.deep.equal([true]);
    expect(isKept('ИНН 5001007322591')).to.deep.equal([false]);
    expect(isKept('31205890120045')).to.deep.equal([true]); // a valid personal number is no card
    expect(isKept('4111 1111 1111 1111, code 123')).to.deep.equal([false, false]);
  });
});

/** Numbers in a row: each value of a list is hidden on its own, whichever kinds were requested. */
import { expect } from 'chai';
import { redact } from '../../redaction/redact.ts';
import type { RuleKind } from '../../contract/values/redaction-kinds.ts';

const hide = (text: string, kinds?: readonly RuleKind[]) => redact([{ role: 'client', text }], kinds).turns[0]!.text;

interface Listed {
  kind: RuleKind;
  /** Words before the list, by language. */
  before: Record<Language, string>;
  values: string[];
}

const LANGUAGES = ['en', 'ru', 'uz', 'uz-cyrl'] as const;
type Language = (typeof LANGUAGES)[number];

const LISTS: Record<string, Listed> = {
  'phones with a plus': {
    kind: 'phone',
    before: { en: 'My phones: ', ru: 'Мои телефоны: ', uz: 'Telefonlarim: ', 'uz-cyrl': 'Телефонларим: ' },
    values: ['+998901234567', '+998917654321', '+49 151 12345678', '+7 916 765-43-21', '+1 (415) 555-0198'],
  },
  'national phones': {
    kind: 'phone',
    before: { en: 'My phones: ', ru: 'Мои телефоны: ', uz: 'Telefonlarim: ', 'uz-cyrl': 'Телефонларим: ' },
    values: ['90 123 45 67', '917654321', '8 916 765-43-21', '(415) 555-0198', '93 765 43 21'],
  },
  cards: {
    kind: 'card',
    before: { en: 'The cards: ', ru: 'Карты: ', uz: 'Kartalar: ', 'uz-cyrl': 'Карталар: ' },
    values: [
      '4111 1111 1111 1111',
      '5555555555554444',
      '8600-1404-4162-5588',
      '378282246310005',
      '4276 3801 4455 2073',
    ],
  },
  passports: {
    kind: 'id',
    before: { en: 'Passports ', ru: 'Паспорта ', uz: 'Pasportlar ', 'uz-cyrl': 'Паспортлар ' },
    values: ['AA1234567', 'AB7654321', 'AC 1112233', 'FA0000017', 'AD7000001'],
  },
  'Russian passports': {
    kind: 'id',
    before: { en: 'Passports ', ru: 'Паспорта ', uz: 'Pasportlar ', 'uz-cyrl': 'Паспортлар ' },
    values: ['4508 612345', '45 09 612346', '4510612347', '4511 612348', '4512 612349'],
  },
  'personal numbers': {
    kind: 'id',
    before: { en: 'PINFL ', ru: 'ПИНФЛ ', uz: 'JShShIR ', 'uz-cyrl': 'ЖШШИР ' },
    values: ['31205890120045', '31205890120052', '41205890120053', '51205890120054', '61205890120055'],
  },
  'tax numbers': {
    kind: 'id',
    before: { en: 'TIN ', ru: 'ИНН ', uz: 'STIR ', 'uz-cyrl': 'СТИР ' },
    values: ['301234567', '302345678', '303456789', '7707083893', '500100732259'],
  },
  codes: {
    kind: 'code',
    before: { en: 'The codes are ', ru: 'Коды ', uz: 'Kodlar ', 'uz-cyrl': 'Кодлар ' },
    values: ['482913', '193847', '594832', '204816', '739201'],
  },
  'short codes': {
    kind: 'code',
    before: { en: 'PIN codes: ', ru: 'ПИН-коды: ', uz: 'Pin kodlar: ', 'uz-cyrl': 'Пин кодлар: ' },
    values: ['4829', '1938', '5948', '2049', '7392'],
  },
  IBANs: {
    kind: 'iban',
    before: { en: 'IBANs ', ru: 'ИБАН ', uz: 'IBAN ', 'uz-cyrl': 'IBAN ' },
    values: ['GB29 NWBK 6016 1331 9268 19', 'DE89370400440532013000', 'FR1420041010050500013M02606'],
  },
  addresses: {
    kind: 'email',
    before: { en: 'Write to ', ru: 'Пишите на ', uz: 'Pochtalar: ', 'uz-cyrl': 'Почталар: ' },
    values: ['a.b@mail.ru', 'c@d.com', 'e_f@g.co.uk', 'h+i@j.uz', 'k1@l-m.org'],
  },
};

const SIGNS = [', ', ',', '; ', ' / ', '/', ' | ', '\n', '\t', ' • ', ' - ', ' — ', ' & ', ',\n'];
const WORDS: Record<Language, string[]> = {
  en: [
    ...[
      ' and ',
      ', and ',
      ' or ',
      ' as well as ',
      ', along with ',
      ' plus ',
      ' followed by ',
      ', and after that ',
      ', and one more, ',
    ],
    ...[' and the second is ', ' or maybe ', ' slash ', ' comma ', ' in addition to ', ' and finally ', ', or rather '],
  ],
  ru: [
    ...[
      ' и ',
      ', или ',
      ', а также ',
      ', и ещё ',
      ', потом ',
      ' либо ',
      ' плюс ',
      ', а второй ',
      ' вместе с ',
      ' или же ',
      ' дробь ',
    ],
    ...[', после этого ', ' через запятую ', ', и ещё один: ', ', следующий ', ', а кроме того '],
  ],
  uz: [
    ...[
      ' va ',
      ' yoki ',
      ' hamda ',
      ' va yana ',
      ', keyin ',
      ', undan keyin ',
      ' bilan birga ',
      ', shuningdek ',
      ', yana bittasi ',
    ],
    ...[', ikkinchisi ', ' plyus ', ', soʻng ', ' slesh ', ', yo boʻlmasa ', ', bundan tashqari '],
  ],
  'uz-cyrl': [
    ...[
      ' ва ',
      ' ёки ',
      ' ҳамда ',
      ' ва яна ',
      ', кейин ',
      ', ундан кейин ',
      ' билан бирга ',
      ', шунингдек ',
      ', яна биттаси ',
    ],
    ...[', иккинчиси ', ' плюс ', ', сўнг ', ' слеш ', ', ё бўлмаса ', ', бундан ташқари '],
  ],
};

const DIGITS: Record<Language, string[]> = {
  en: 'zero one two three four five six seven eight nine'.split(' '),
  ru: 'ноль один два три четыре пять шесть семь восемь девять'.split(' '),
  uz: 'nol bir ikki uch toʻrt besh olti yetti sakkiz toʻqqiz'.split(' '),
  'uz-cyrl': 'нол бир икки уч тўрт беш олти етти саккиз тўққиз'.split(' '),
};

const dictate = (language: Language, value: string): string =>
  [...value].map((digit) => DIGITS[language][Number(digit)]).join(' ');

describe('Redaction of numbers in a row', () => {
  for (const [what, { kind, before, values }] of Object.entries(LISTS)) {
    it(`hides two to five ${what} in every separator and language, also if no other kind was requested`, () => {
      const wrong: string[] = [];
      for (const language of LANGUAGES) {
        for (const separator of [...SIGNS, ...WORDS[language]]) {
          for (let count = 2; count <= values.length; count++) {
            const said = `${before[language]}${values.slice(0, count).join(separator)}.`;
            for (const kinds of [[kind], undefined]) {
              const hidden = hide(said, kinds);
              const found = new Set(hidden.match(/\[[A-Z]+_\d\]/g));
              const rest = hidden.slice(before[language].length).replaceAll(/\[[A-Z]+_\d\]/g, '');
              if (/\d/.test(rest) || found.size !== count || !hidden.startsWith(before[language]))
                wrong.push(`${JSON.stringify(said)} → ${JSON.stringify(hidden)} (${kinds?.join() ?? 'all'})`);
            }
          }
        }
      }
      expect(wrong.slice(0, 12), `${wrong.length} lists`).to.deep.equal([]);
    });
  }

  for (const what of ['codes', 'tax numbers', 'national phones'] as const) {
    it(`hides two or three ${what} of different lengths that are dictated, or some of them`, () => {
      const { kind, before } = LISTS[what]!;
      const values = what === 'codes' ? ['4829', '193847', '58203'] : ['301234567', '7707083893', '917654321'];
      const wrong: string[] = [];
      for (const language of LANGUAGES) {
        for (const separator of [...WORDS[language], '. ', ' … ']) {
          for (const isWritten of [() => false, (index: number) => index === 0, (index: number) => index === 1]) {
            for (const count of [2, 3]) {
              const said = values
                .slice(0, count)
                .map((value, index) => (isWritten(index) ? value : dictate(language, value)));
              const text = `${before[language]}${said.join(separator)}.`;
              const rest = hide(text, [kind])
                .slice(before[language].length)
                .replaceAll(separator.trim(), '')
                .replaceAll(/\[[A-Z]+_\d\]/g, '');
              const isShown = /\d/.test(rest) || rest.split(/[ .,:…]+/).some((word) => DIGITS[language].includes(word));
              if (isShown) wrong.push(`${text} → ${rest}`);
            }
          }
        }
      }
      expect(wrong.slice(0, 12), `${wrong.length} lists`).to.deep.equal([]);
    });
  }

  for (const [what, before, after] of [
    [
      'with numbers before the lines',
      '1) +998901234567\n2) 917654321\n3. 93 765 43 21',
      '1) [PHONE_1]\n2) [PHONE_2]\n3. [PHONE_3]',
    ],
    ['with the number of each before it', 'phone: 1) 901234567 2) 917654321', 'phone: 1) [PHONE_1] 2) [PHONE_2]'],
    ['with only spaces between', 'phones 90 123 45 67 91 765 43 21', 'phones [PHONE_1] [PHONE_2]'],
    ['without spaces after the plus', '+998901234567+998917654321', '[PHONE_1][PHONE_2]'],
    ['after a number with a plus', '+998901234567 917654321', '[PHONE_1] [PHONE_2]'],
    ['of a card and its code', 'card and CVV: 4111 1111 1111 1111, 123', 'card and CVV: [CARD_1], [CODE_1]'],
    ['of different lengths', 'phones 2345678, 901234567 or 234 567', 'phones [PHONE_1], [PHONE_2] or [PHONE_3]'],
    [
      'spoken',
      'phones: nine oh one two three four five six seven, and nine one seven six five four three two one',
      'phones: [PHONE_1], and [PHONE_2]',
    ],
    [
      'spoken with a plus',
      'плюс девять девять восемь девяносто сто двадцать три сорок пять шестьдесят семь и плюс семь девятьсот шестнадцать сто двадцать три сорок пять шестьдесят семь',
      '[PHONE_1] и [PHONE_2]',
    ],
  ] as const) {
    it(`hides a list ${what}`, () => expect(hide(before)).to.equal(after));
  }

  it('reads commas within one number as one number', () => {
    expect(hide('card 4276, 3801, 4455, 2073')).to.equal('card [CARD_1]');
    expect(hide('card 4276, 3801, 4455, 2074')).to.equal('card [CARD_1]');
    expect(hide('phone 90, 123, 45, 67')).to.equal('phone [PHONE_1]');
    expect(hide('the code is 482, 913')).to.equal('the code is [CODE_1]');
  });

  it('keeps lists of ordinary numbers', () => {
    for (const text of [
      'Orders 123456789, 987654321',
      'заказы 12345678, 87654321',
      'buyurtmalar 1234567, 7654321',
      'My order is 123456 as well as 654321',
      'заказ 123456, а также 654321',
      'buyurtma 123456 hamda 654321',
      'invoice 4829 followed by 193847',
    ])
      expect(hide(text)).to.equal(text);
  });
});

/** A number of each country as people write it, and without the plus. */
const PHONES: Record<string, string> = {
  Argentina: '+54 9 11 2345-6789',
  Australia: '+61 412 345 678',
  Austria: '+43 664 123456789',
  Azerbaijan: '+994 50 123 45 67',
  Belarus: '+375 29 123-45-67',
  Brazil: '+55 (11) 91234-5678',
  China: '+86 138 0013 8000',
  Czechia: '+420 601 123 456',
  Denmark: '+45 20 12 34 56',
  Egypt: '+20 100 123 4567',
  Estonia: '+372 5123 4567',
  Finland: '+358 40 1234567',
  France: '+33.6.12.34.56.78',
  Georgia: '+995 555 12 34 56',
  Germany: '+49 151 12345678',
  Iceland: '+354 611 1234',
  India: '+91 98765 43210',
  Indonesia: '+62 812-3456-78901',
  Ireland: '+353 85 123 4567',
  Israel: '+972-50-123-4567',
  Italy: '+39 312 345 6789',
  Japan: '+81 90-1234-5678',
  Kazakhstan: '+7 701 123 45 67',
  Kyrgyzstan: '+996 700 123 456',
  Mexico: '+52 1 55 1234 5678',
  Poland: '+48 512 345 678',
  Russia: '+7 (916) 123-45-67',
  'Saudi Arabia': '+966 50 123 4567',
  Singapore: '+65 8123 4567',
  'South Korea': '+82 10-1234-5678',
  Spain: '+34 612 34 56 78',
  Tajikistan: '+992 93 123 4567',
  Turkey: '+90 532 123 45 67',
  Ukraine: '+380 44 123 45 67',
  'United Arab Emirates': '+971 50 123 4567',
  'United Kingdom': '+44 (0)20 7946 0958',
  'United States': '+1-415-555-0198',
  Uzbekistan: '+998 (90) 123-45-67',
};

describe('Redaction of phone numbers of other countries', () => {
  for (const [country, phone] of Object.entries(PHONES)) {
    it(`hides a number of ${country} as a phone: with a plus, with 00, and after "phone"`, () => {
      for (const kinds of [['phone'], ['phone', 'email'], undefined] as const) {
        expect(hide(`Call ${phone} today`, kinds)).to.equal('Call [PHONE_1] today');
        expect(hide(phone.replace('+', '00'), kinds)).to.equal('[PHONE_1]');
        expect(hide(`phone: ${phone.slice(1)}`, kinds)).to.equal('phone: [PHONE_1]');
        expect(hide(`Телефон ${phone}, ${phone.replace(/\d$/, '3')}`, kinds)).to.match(
          /^Телефон \[PHONE_1\], \[PHONE_2\]$/,
        );
      }
    });
  }

  it('finds phones with signs inside and around the plus', () => {
    for (const phone of ['+(998) 90 123 45 67', '(+998) 90 123-45-67', '+ 998 90 1234567', 'tel:+998901234567'])
      expect(hide(phone, ['phone'])).to.match(/^(?:tel:)?\(?\[PHONE_1\]$/);
  });
});

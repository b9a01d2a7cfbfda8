import type { Words } from './words.ts';

export const ENGLISH: Words = {
  numbers: {
    0: 'zero nought naught nil',
    1: 'one',
    2: 'two',
    3: 'three',
    4: 'four',
    5: 'five fife',
    6: 'six',
    7: 'seven',
    8: 'eight',
    9: 'nine niner',
    10: 'ten',
    11: 'eleven',
    12: 'twelve',
    13: 'thirteen',
    14: 'fourteen',
    15: 'fifteen',
    16: 'sixteen',
    17: 'seventeen',
    18: 'eighteen',
    19: 'nineteen',
    20: 'twenty',
    30: 'thirty',
    40: 'forty fourty',
    50: 'fifty',
    60: 'sixty',
    70: 'seventy',
    80: 'eighty',
    90: 'ninety',
    100: 'hundred',
    1000: 'thousand',
    1_000_000: 'million billion',
  },
  largestBeforeHundred: 99,
  digitNouns: {
    0: 'zeros zeroes ohs',
    1: 'ones',
    2: 'twos',
    3: 'threes',
    4: 'fours',
    5: 'fives',
    6: 'sixes',
    7: 'sevens',
    8: 'eights',
    9: 'nines',
  },
  repeats: { 2: 'double', 3: 'triple treble', 4: 'quadruple' },
  soundAlikes: {
    0: 'oh o ow',
    1: 'won',
    2: 'to too',
    3: 'tree free',
    4: 'for fore',
    6: 'sicks sex',
    8: 'ate',
    9: 'nein',
  },
  fillers:
    'uh um uhm er erm hmm hm mm mhm mmhm uhhuh huh so okay ok yeah yes yep yup right and then it its is thats dash hyphen space ' +
    'like well please sure great got alright sec moment',
  corrections: 'no sorry wait oops actually correction mean',
  digit: 'digit digits',
  labels: {
    card: 'card cards visa mastercard amex debit',
    code: 'sms code codes cvv cvc cvv2 cvc2 cid csc pin pins puk passcode passcodes otp otps password passwords',
    id: 'passport ssn social license licence itin driver drivers tin tins passports ssns taxpayer aadhaar nino nin identity identification national id',
    phone: 'touch contact phone phones cell mobile call callback reach telephone tel whatsapp fax landline',
    iban: 'iban',
    number: 'number numbers digits',
    ordinary:
      'contract contracts account many much old when order orders invoice ticket claim case reference confirmation tracking product sku country issued receipt flight seat room apartment part model ' +
      'serial zip postcode amount limit balance price cost total payment pay charge withdraw ' +
      'reading meter scale until expiration expiry expires exp expire valid birth born year month address street avenue extension ' +
      'count score speed policy version fee charging charged premium deductible transaction transactions item items quantity',
  },
  units:
    'dollar dollars cent cents buck bucks euro euros pound pounds eur usd gbp percent minute minutes hour hours second seconds ' +
    'day days week weeks month months year years am pm oclock people adults kids items pieces times miles mile kilometers ' +
    'first third fourth fifth sixth seventh eighth ninth tenth megabits gigabytes kilowatt kilowatts degrees licenses questions stars points nights oclock st nd rd th kg lamps',
  beforeYear:
    'in since until till from of by year january february march april may june july august september october november december',
  continuations: 'then end ending last final finally lastly',
  spelledLike: 'as in for like',
  plus: 'plus',
  emailSigns: { '@': 'at', '.': 'dot period', _: 'underscore', '-': 'dash hyphen minus' },
};

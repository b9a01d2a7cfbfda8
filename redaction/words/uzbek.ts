/**
 * Uzbek in Latin script without apostrophes. Cyrillic words are transliterated before the lookup, so the table also contains the
 * results for text that uses only Russian letters: "туккиз" for "тўққиз".
 */
import type { Words } from './words.ts';

export const UZBEK: Words = {
  numbers: {
    0: 'nol nul',
    1: 'bir',
    2: 'ikki',
    3: 'uch',
    4: 'tort turt',
    5: 'besh',
    6: 'olti',
    7: 'yetti etti',
    8: 'sakkiz',
    9: 'toqqiz tuqqiz tukkiz tokkiz',
    10: "o'n un",
    20: 'yigirma',
    30: 'ottiz uttiz',
    40: 'qirq kirk',
    50: 'ellik',
    60: 'oltmish',
    70: 'yetmish etmish',
    80: 'sakson',
    90: 'toqson tuqson tukson tokson',
    100: 'yuz',
    1000: 'ming',
    1_000_000: 'million milliard',
  },
  largestBeforeHundred: 9,
  repeats: { 2: 'ikkita', 3: 'uchta', 4: 'tortta turtta' },
  // Without the apostrophe, "oʻn" is also an English word.
  soundAlikes: { 10: 'on' },
  fillers: 'ha xop xa mayli hop endi keyin yana yaxshi va demak hm e eee tire chiziqcha davom eting togri shu oxirgisi',
  corrections: 'yoq kechirasiz uzr adashdim togrirogi tuxta toxtang',
  digit: 'xonali raqam raqamni raqami',
  labels: {
    card: 'karta* plastik* humo uzcard',
    code: 'sms* kod* parol* pin pinkod* orqa*',
    id: 'pasport* passport* seriya* jshshir* jshir* pinfl* inn stir* guvohnoma* inps*',
    phone: 'telefon* tel boglan* qongiroq* kungirok* nomer* mobil*',
    number: 'raqam* nomer*',
    ordinary:
      'qancha qachon necha* nechta buyurtma* shartnoma* mahsulot* berilgan murojaat* ariza* chek* summa* narx* jami balans* hisob* limit* muddat* sana* yil* uy uyi xonadon* ' +
      'kvartira* soat* tolov* foiz* kredit* manzil* qavat* kocha* kvartal* tezlik* tarif*',
  },
  units:
    'som* sum* soum* tiyin* dollar* yevro* evro* foiz* daqiqa* minut* soat* kun* hafta* oy oyga oyda oylik yil* dona* ta kishi* metr* ' +
    'birinchi* ikkinchi* uchinchi* tortinchi* beshinchi* oltinchi* yettinchi* sakkizinchi* toqqizinchi* oninchi* yigirmanchi* ' +
    'ottizinchi* kilo* kg km gramm* megabit* gigabayt* santimetr* marta martda yosh* yanvar* fevral* mart aprel* may mayda iyun* iyul* ' +
    'avgust* sentabr* oktabr* noyabr* dekabr*',
  continuations: 'oxiri* yana keyin qolgan*',
  plus: 'plyus plus',
  emailSigns: { '@': 'kuchukcha sobaka et', '.': 'nuqta', _: 'pastki', '-': 'chiziqcha tire minus' },
};

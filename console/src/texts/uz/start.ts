import type * as en from '../en/start.ts';
import { countOf } from './grammar.ts';

export const start: typeof en.start = {
  simulated: (names, areAll) =>
    areAll
      ? 'Demo rejimi: natijalar oʻylab topilgan, provayderlarga soʻrov yuborilmaydi. Provayderdan foydalanish uchun uning API kalitini serverga qoʻshing.'
      : `Simulyatsiya, natijalar oʻylab topilgan: ${names.join(', ')}.`,
  assistant: {
    questions: 'Savollarni tahrirlash',
    another: 'Yangi assistent',
    template: 'Andoza',
    templates: [
      {
        name: 'Yordam qoʻngʻirogʻini baholash',
        prompt: 'Suhbatni ikki gapda bayon qiling. Mijozga nima va qachongacha vaʼda qilinganini ayting.',
        fields: [
          'resolved | Muammo hal boʻldi | boolean | Muammo qoʻngʻiroq davomida hal boʻldimi?',
          'reason | Qoʻngʻiroq sababi | string | Mijoz nima uchun qoʻngʻiroq qildi?',
          'mood | Oxiridagi kayfiyat | enum | Mijozning kayfiyati suhbat oxirida qanday edi? | xotirjam, xavotirli, jahldor',
          'promise | Mijozga vaʼda | string | Operator nimani va qachongacha vaʼda qildi?',
        ],
      },
      {
        name: 'Savdo qoʻngʻirogʻi',
        prompt: 'Suhbatni ikki gapda bayon qiling: mijozga nima kerak va nimaga kelishildi.',
        fields: [
          'interested | Taklifga qiziqish | boolean | Mijoz taklifga qiziqdimi?',
          'product | Mahsulot yoki xizmat | string | Suhbat qaysi mahsulot yoki xizmat haqida?',
          'objections | Eʼtirozlar | string_list | Mijozning soʻzlariga koʻra, xaridga nima toʻsqinlik qiladi?',
          'next_step | Keyingi qadam | string | Qaysi keyingi qadam va muddatga kelishildi?',
        ],
      },
      {
        name: 'Xizmat sifatini tekshirish',
        prompt: 'Suhbatni ikki gapda bayon qiling. Faqat operatorning ishini baholang.',
        fields: [
          'introduced | Operator oʻzini tanishtirdi | boolean | Operator oʻz ismi va kompaniyasini aytdimi?',
          'polite | Xushmuomalalik | boolean | Operator butun suhbat davomida xushmuomala boʻldimi?',
          'tone | Operator ohangi | enum | Operatorning ohangi qanday edi? | samimiy, betaraf, asabiy',
          'mistakes | Xatolar | string_list | Operator qanday xatolarga yoʻl qoʻydi?',
        ],
      },
    ],
  },
  assistantGone: 'Bu sahifaning assistenti oʻchirilgan. Boshqasi tanlandi.',
  noTemplate: 'Andozasiz',
  conversation: {
    textHint:
      'Har qatorda bitta replika ("operator: Xayrli tong"), JSON, subtitrlar yoki eksport qilingan chat. Matnni qoʻying yoki faylni shu yerga tashlang.',
    line: (line) => `${line}-qator`,
    message: (message) => `${message}-xabar`,
    skipped: (count) => `Inson soʻzlari boʻlmagan ${countOf(count, 'xabar')} oʻtkazib yuborildi.`,
    problems: {
      not_an_object: 'JSON obyekti emas.',
      not_utf8: 'UTF-8 emas. Faylni UTF-8 da saqlang.',
      invalid_json: 'JSON kabi boshlanadi, lekin JSON emas.',
      invalid_cue: 'subtitr vaqti emas.',
    },
    submit: 'Tahlil qilish',
    useSample: 'Namunani qoʻyish',
    sample: [
      'operator: Assalomu alaykum, «Shimol» internet, ismim Dilnoza. Qanday yordam bera olaman?',
      'client: Salom, bir haftadan beri har oqshom internetim uzilib qolyapti.',
      'operator: Uzr soʻraymiz. Ertaga tushgacha sizga yangi router yetkazamiz.',
      'client: Rahmat, bu juda yordam beradi.',
    ].join('\n'),
  },
  running: 'Bajarilmoqda…',
  automate: {
    title: 'Avtomatlashtirish',
    hint: 'Suhbatlarni API orqali yuborish, javoblarni webhook orqali olish',
    noWebhook: 'Javoblar uchun webhook hali belgilanmagan.',
    tokenOnce: 'Quyidagi kodda token bor. Hozir nusxa oling: u bir marta koʻrsatiladi.',
    tokenName: 'Birinchi soʻrov',
  },
  data: {
    key: 'Kalit',
    value: 'Qiymat',
    ofFiles: 'Bir nechta faylning maʼlumotlari',
    csv: 'CSV fayldan: uni yozuvlar bilan birga yoki oldin tashlang. Birinchi ustunda fayl nomlari, birinchi qatorda kalitlar.',
    pattern: 'Fayl nomlaridan, namuna',
    table: (files) => `CSV faylda ${files} ta faylning maʼlumotlari bor.`,
  },
};

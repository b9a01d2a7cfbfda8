import type * as en from '../en/start.ts';
import { countOf } from './grammar.ts';

export const start: typeof en.start = {
  subtitle: 'Assistentni tanlang, suhbatni qoʻshing va natijani koʻring.',
  simulated: (names, areAll) =>
    areAll
      ? 'Demo rejimi: provayderlar chaqirilmaydi, natijalar oʻylab topilgan. Provayderni chaqirish uchun uning API kalitini serverga qoʻshing.'
      : `Simulyatsiya, natijalar oʻylab topilgan: ${names.join(', ')}.`,
  assistant: {
    hint: 'Natijani assistentning prompti va modeli belgilaydi.',
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
  secretOnce:
    'Qabul qiluvchingiz yetkazish haqiqiyligini shu maxfiy kalit orqali tekshiradi. Uni hozir nusxalang: u faqat bir marta koʻrsatiladi.',
  webhook: {
    hint: 'Har bir natija URL manzilingizga yuboriladi. Bu bosqichni oʻtkazib yuborish mumkin.',
    set: 'Webhook qoʻshish',
    change: 'Oʻzgartirish',
    urlHint: 'Webhook kerak boʻlmasa, boʻsh qoldiring.',
  },
  conversation: {
    textTitle: 'Suhbat',
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
    metadataHint: 'kalit=qiymat, … Sessiya bilan saqlanadi. Sessiyalarni ular boʻyicha qidirish va filtrlash mumkin.',
    useSample: 'Namunani qoʻyish',
    samples: [
      [
        'operator: Assalomu alaykum, «Shimol» internet, ismim Dilnoza. Qanday yordam bera olaman?',
        'client: Salom, bir haftadan beri har oqshom internetim uzilib qolyapti.',
        'operator: Uzr soʻraymiz. Ertaga tushgacha sizga yangi router yetkazamiz.',
        'client: Rahmat, bu juda yordam beradi.',
      ].join('\n'),
      [
        'operator: «Shimol» internet, Rustam, eshitaman.',
        'client: Mendan bu oy ikki marta pul yechildi, bu ikkinchi marta. Juda jahlim chiqyapti.',
        'operator: Ha, ikkala toʻlovni koʻryapman. Ikkinchisi uch kun ichida qaytariladi.',
        'client: Umid qilaman. Boʻlmasa provayderni almashtiraman.',
      ].join('\n'),
      [
        'operator: «Shimol» internet, Dilnoza, eshitaman.',
        'client: Ofis uchun 500 megabitli tarifingiz bormi?',
        'operator: Ha, «Biznes» tarifi oyiga 40 dollar. Taklifni emailga yuboraymi?',
        'client: Ha, iltimos. Rahbarim bilan gaplashib, juma kuni qoʻngʻiroq qilaman.',
      ].join('\n'),
    ],
    voiceHint: 'Bitta fayl yoki butun papka. Oʻsha fayl 24 soat ichida qayta yuklansa, qayta toʻlov olinmaydi.',
  },
  outcome: { running: 'Bajarilmoqda…' },
  program: {
    title: 'API ni chaqirish',
    hint: 'Shu soʻrovni dasturingizdan API tokeni bilan yuboring.',
    tokenOnce: 'Quyidagi kodda token bor. Uni hozir nusxalab oling: u faqat bir marta koʻrsatiladi.',
    tokenName: 'Birinchi soʻrov',
  },
};

/** "Verified" means that the words were said: by this speaker, with these numbers, days and negations. */
import { expect } from 'chai';
import { checkEvidence } from '../../../activities/fields/check-evidence.ts';
import { createSlices } from '../../../activities/fields/in-slices.ts';
import { expectNoBlock } from '../../support/longest-block.ts';
import { field } from './fields.ts';

type Case = [said: string, quote: string];

const isVerified = async (
  said: string | { role: string; text: string }[],
  quote: string,
  turn = 0,
): Promise<boolean> => {
  const turns = typeof said === 'string' ? [{ role: 'client', text: said }] : said;
  const evidence = await checkEvidence(turns, [field('a', 'boolean')], { a: true }, [{ field: 'a', turn, quote }]);
  return evidence['a']!.verified;
};

const CHANGED: Record<string, Case[]> = {
  'an English word that looks like another one': [
    ['You can cancel it within the trial', 'You can cancel it within the trail'],
    ['The taste of the coffee became bitter', 'The taste of the coffee became better'],
    ['We have a quiet office downtown', 'We have a quite office downtown'],
    ['It was a causal error in the system', 'It was a casual error in the system'],
  ],
  'a number in digits': [
    ['I paid 25 thousand dollars for it', 'I paid 25 dollars for it'],
    ['I paid 25 thousand dollars for it', 'I paid 25 million dollars for it'],
    ['It takes 1.5 million years to do', 'It takes 1.5 thousand years to do'],
    ['It takes 1.5 million years to do', 'It takes 15 million years to do'],
    ['Я заплатил 25 тысяч рублей вчера', 'Я заплатил 25 рублей вчера'],
    ["Men 25 ming so'm to'ladim", "Men 25 so'm to'ladim"],
    ['You took 184 500 soum from my card', 'You took 184 600 soum from my card'],
    ['I paid 1.5 million for the new phone', 'I paid 15 million for the new phone'],
    ['The courier came at 2:30 on that day', 'The courier came at 230 on that day'],
    ['The price was 12.50 euro in total', 'The price was 1250 euro in total'],
    ['My order is A-104822 from last week', 'My order is A-104832 from last week'],
    ['Я заплатил 500 рублей за доставку', 'Я заплатил 5000 рублей за доставку'],
    ['I am on floor 5 in flat 5', 'I am on floor 55 in flat'],
  ],
  'a number in words': [
    [
      'If it is not back by the fifteenth I will cancel the contract',
      'If it is not back by the sixteenth I will cancel the contract',
    ],
    [
      'If it is not back by the fifteenth I will cancel the contract',
      'If it is not back by the fiftieth I will cancel the contract',
    ],
    ['We waited for seventeen days in vain', 'We waited for seventy days in vain'],
    ['It costs four hundred dollars a year', 'It costs forty hundred dollars a year'],
    ['He called me three times yesterday', 'He called me two times yesterday'],
    ['Курьер приехал через пятнадцать минут', 'Курьер приехал через пятьдесят минут'],
    ['Мы ждали до двенадцатого числа', 'Мы ждали до двадцатого числа'],
    ['Осталось шестьсот рублей на счету', 'Осталось семьсот рублей на счету'],
    ['Курьер эртага соат ўн бешда етказиб беради', 'Курьер эртага соат ўн олтида етказиб беради'],
    ["Kuryer ertaga soat o'n beshda yetkazib beradi", "Kuryer ertaga soat o'n oltida yetkazib beradi"],
    ["Men uch yuz ming so'm to'ladim", "Men to'rt yuz ming so'm to'ladim"],
    ['Мен уч юз минг сўм тўладим', 'Мен тўрт юз минг сўм тўладим'],
    ['Мы заплатили полторы тысячи рублей', 'Мы заплатили две тысячи рублей'],
    ['The second month was free for me', 'The two month was free for me'],
    ['the code is one zero four eight', 'the code is one four eight'],
    ['код один ноль четыре восемь', 'код один четыре восемь'],
    ['the price went up 15% today', 'the price went up 15 dollars today'],
    ['I paid a fifth of the amount today', 'I paid a five of the amount today'],
    ['Мы ждали второго дня у двери', 'Мы ждали два дня у двери'],
    ['Men uchinchi kun kutdim bu yerda', 'Men uch kun kutdim bu yerda'],
  ],
  'a weekday, a month or a date': [
    ['I will refund it on Thursday, and not a day later', 'I will refund it on Tuesday, and not a day later'],
    ['The contract ends in June next year', 'The contract ends in July next year'],
    ['Доставка будет во вторник после обеда', 'Доставка будет в четверг после обеда'],
    ['Договор заканчивается в июне этого года', 'Договор заканчивается в июле этого года'],
    ['Buyurtma seshanba kuni yetib keladi', 'Buyurtma payshanba kuni yetib keladi'],
    ['Буюртма сешанба куни етиб келади', 'Буюртма шанба куни етиб келади'],
    ['Shartnoma iyunda tugaydi deb aytdi', 'Shartnoma iyulda tugaydi deb aytdi'],
    ['My birthday is May the fourth', 'My birthday is March the fourth'],
    ['The mayor came here on Sunday', 'The May came here on Sunday'],
    ['They march in the rain all day', 'They marched in the rain all day'],
    ['Он пришёл в субботу утром с лопатой', 'Он пришёл в субботник утром с лопатой'],
    ['Kuryer juma kuni keldi bizga', 'Kuryer jumasiz kuni keldi bizga'],
    ['Курьер жума куни келди бизга', 'Курьер жумасиз куни келди бизга'],
    ['Kuryer jumadan ishlaydi bizda', 'Kuryer jumagacha ishlaydi bizda'],
    ['Kuryer jumada ishlaydi bizda', 'Kuryer jumagacha ishlaydi bizda'],
    ['Kuryer seshanbadan ishlaydi bizda', 'Kuryer shanbadan ishlaydi bizda'],
    ['Men uch mart kelganman bu yerga', 'Men uch marta kelganman bu yerga'],
    ['Мен мартда келганман бу ерга', 'Мен марта келганман бу ерга'],
  ],
  'a negation': [
    ['The courier has arrived at the office', 'The courier has not arrived at the office'],
    ["The courier hasn't arrived at the office", 'The courier has arrived at the office'],
    ['I can pay the invoice this week', "I can't pay the invoice this week"],
    ['Курьер не приехал на склад вчера', 'Курьер приехал на склад вчера'],
    ['Посылка была оплачена на сайте', 'Посылка была неоплачена на сайте'],
    ['Kuryer bugun ertalab keldi deyishdi', 'Kuryer bugun ertalab kelmadi deyishdi'],
    ['Буюртма бугун эрталаб келмади дейишди', 'Буюртма бугун эрталаб келди дейишди'],
    ['Bu xizmat bizda ishlaydi albatta', 'Bu xizmat bizda ishlamaydi albatta'],
    ['I would pay if it worked', 'I would pay it worked'],
    ['Pul qaytarildi, muammo yoq edi', 'Pul qaytarildi, muammo bor edi'],
    ['U pulni menga qaytaripti deb aytdi', 'U pulni menga qaytarmapti deb aytdi'],
    ['Endi shartnomani rasmiylashtir deb aytdi', 'Endi shartnomani rasmiylashtirma deb aytdi'],
    ['У пулни менга қайтаргин деб айтди', 'У пулни менга қайтармагин деб айтди'],
    ['У пулни менга қайтаряпти деб айтди', 'У пулни менга қайтармаяпти деб айтди'],
    ['Pul menga qaytarildi deb yozdi', 'Pul menga qaytarildimi deb yozdi'],
  ],
  'an antonym that an affix makes': [
    ['The delivery is possible before noon', 'The delivery is impossible before noon'],
    ['and the fee will increase next year', 'and the fee will decrease next year'],
    ['I was happy with the old tariff', 'I was unhappy with the old tariff'],
    ['I wanted to install the application again', 'I wanted to uninstall the application again'],
    ['He told me to upload the documents', 'He told me to unload the documents'],
    ['The operator was careful with my data', 'The operator was careless with my data'],
    ['The price includes the delivery fee', 'The price excludes the delivery fee'],
    ['…и посылка была закрыта', '…и посылка была открыта'],
    ['Мне подключили услугу без спроса', 'Мне отключили услугу без спроса'],
    ['Она включила автоплатёж в приложении', 'Она выключила автоплатёж в приложении'],
    ['Цена повысилась с этого месяца', 'Цена понизилась с этого месяца'],
    ['Приход денег видно в выписке', 'Расход денег видно в выписке'],
    ['Bu tarif juda foydali ekan', 'Bu tarif juda foydasiz ekan'],
    ['Бу тариф жуда фойдали экан', 'Бу тариф жуда фойдасиз экан'],
    ["Manzil to'g'ri yozilgan ekan", "Manzil noto'g'ri yozilgan ekan"],
    ['Манзил тўғри ёзилган экан', 'Манзил нотўғри ёзилган экан'],
    ['Kecha mijoz ofisga keldi deyishdi', 'Kecha mijoz ofisga ketdi deyishdi'],
    ['Bu muvaffaqiyatli xizmat ekan', 'Bu muvaffaqiyatsiz xizmat ekan'],
    ['Bu kafolat bilan xizmat ekan', 'Bu kafolatsiz bilan xizmat ekan'],
    ['Бу рухсатли хизмат экан', 'Бу рухсатсиз хизмат экан'],
    ['Mijoz bundan rozi edi kecha', 'Mijoz bundan norozi edi kecha'],
    ['Bu odobli xodim ekan', 'Bu beodob xodim ekan'],
    ['Бу сувли ер экан', 'Бу серсув ер экан'],
    ['It was about immigration to the country', 'It was about emigration to the country'],
    ['The doctor spoke of hypertension again', 'The doctor spoke of hypotension again'],
    ['It is an interstate call after all', 'It is an intrastate call after all'],
  ],
  'another word or speaker': [
    ['I sent the parcel back to you', 'I lost the parcel back to you'],
    ['I loved there for two years', 'I lived there for two years'],
    ['The order was shipped here yesterday', 'The order was shopped here yesterday'],
    ['Я давно купил этот дом у вас', 'Я давно копил этот дом у вас'],
    ['Мне звонили вчера из банка', 'Мне звонила вчера из банка'],
    ['U menga pulni kecha berdi', 'U menga pulni kecha bordi'],
    ['Kuryer buni bizda qildi kecha', 'Kuryer buni bizda qoldi kecha'],
    ['Курьер буни бизда қилди кеча', 'Курьер буни бизда қолди кеча'],
    ['I told you about the problem', 'You told me about the problem'],
    ['The manager promised a discount', 'The customer promised a discount'],
    ['I want a refund for the lamp', 'I want a refund for the lamp and a gift'],
  ],
};

const SAID: Record<string, Case[]> = {
  'other spelling': [
    ['My parcel hasn’t arrived and you took it', 'my parcell has not arived and you took it'],
    ['I recieved the wrong invoice again', 'I received the wrong invoice again'],
    ['The refund was seperate from that', 'The refund was separate from that'],
    ['The web site was down again', 'The website was down again'],
    ['I cannot open the application', 'I can not open the application'],
    ["I can't open the application", 'I cannot open the application'],
    ['Курьер ещё не приехал на склад', 'Курьер еще не приехал на склад'],
    ['Я оплатил заказ через приложение', 'Я аплатил заказ через приложение'],
    ['Мне звонили из кампании два раза', 'Мне звонили из компании два раза'],
    ['Посылка не оплачена до сих пор', 'Посылка неоплачена до сих пор'],
    ['Это был очень длиный разговор', 'Это был очень длинный разговор'],
    ["Men buyurtmani kecha to'ladim", 'Men buyurtmani kecha toladm'],
    ["Operator menga qo'ng'iroq qilmadi", 'Operator menga qongiroq qilmadi'],
    ['Мен буюртмани кеча тўладим', 'Мен буюртмани кеча тўладм'],
    ['Оператор менга қўнғироқ қилмади', 'Оператор менга кўнғироқ қилмади'],
  ],
  'other punctuation and case': [
    ['Well — I said: "cancel it, please!"', 'i said cancel it please'],
    ['Good morning — how can I help you today?', 'GOOD MORNING, HOW CAN I HELP'],
    ['Да... Верните мне деньги, пожалуйста.', 'верните мне деньги пожалуйста'],
    ['Pulimni qaytaring, iltimos!', 'pulimni qaytaring iltimos'],
    ['Пулимни қайтаринг, илтимос!', 'пулимни қайтаринг илтимос'],
    ['It is [CARD_1], and my phone is [PHONE_1].', 'It is [CARD_1] and my phone is [PHONE_1]'],
  ],
  'fillers left out or put in': [
    ['I, um, want to cancel the contract', 'I want to cancel the contract'],
    ['I just, you know what, want to cancel it now', 'want to cancel it'],
    ['The courier was really late again', 'The courier was late again'],
    ['So I called the bank and then the shop', 'I called the bank and the shop'],
    ['Мы отправили ваш заказ в понедельник', 'Мы отправили заказ в понедельник'],
    ['Ну я вот хотел как бы вернуть деньги', 'я хотел вернуть деньги'],
    ['Короче, карта так и не пришла', 'карта не пришла'],
    ['Demak, men pulni qaytarmoqchi edim', 'men pulni qaytarmoqchi edim'],
    ['Men shu buyurtmani yani bekor qilmoqchiman', 'Men buyurtmani bekor qilmoqchiman'],
    ['Мен шу буюртмани яъни бекор қилмоқчиман', 'Мен буюртмани яъни бекор қилмоқчиман'],
  ],
  'short forms of verbs': [
    ["I'd like to cancel my subscription", 'I would like to cancel my subscription'],
    ["I'm sure they've forgotten it again", 'I am sure they have forgotten it again'],
    ["That's what you'll get from us", 'That is what you will get from us'],
    ['It is what we have paid for', "It's what we've paid for"],
  ],
  'letters that a keyboard lacks': [
    ['Мен кўп марта қўнғироқ қилдим', 'Мен куп марта кунгирок килдим'],
    ['Ҳар куни қўнғироқ қиласиз', 'Хар куни кунгирок киласиз'],
  ],
  'apostrophes of any kind': [
    ["I don't want the extended warranty", 'I dont want the extended warranty'],
    ["I don't want the extended warranty", 'I don’t want the extended warranty'],
    ["Bu to'lov noto'g'ri o'tgan", 'Bu toʻlov notoʻgʻri oʻtgan'],
    ["Bu to'lov noto'g'ri o'tgan", 'Bu tolov notogri otgan'],
  ],
  'numbers in another way': [
    ['It is twenty five thousand dollars', 'It is 25 thousand dollars'],
    ['It is 25 thousand 500 dollars', 'It is 25,500 dollars'],
    ['You charged me 15% more', 'You charged me 15 percent more'],
    ['скидка 15 процентов на всё', 'скидка 15% на всё'],
    ['the order is one zero four eight', 'the order is 1048'],
    ['Это двадцать пять тысяч рублей', 'Это 25 тысяч рублей'],
    ["Bu yigirma besh ming so'm", "Bu 25 ming so'm"],
    ['You took 184 500 soum from my card', 'You took 184,500 soum from my card'],
    ['You took 184 500 soum from my card', 'You took one hundred eighty-four thousand five hundred soum from my card'],
    ['I waited for twenty five days', 'I waited for 25 days'],
    ['It arrived on the 5th of May', 'It arrived on the fifth of May'],
    ['I paid a hundred and twenty dollars', 'I paid 120 dollars'],
    ['It was in twenty twenty six', 'It was in 2026'],
    ['Мы ждали пятнадцать дней', 'Мы ждали 15 дней'],
    ['Я заплатил две тысячи триста рублей', 'Я заплатил 2300 рублей'],
    ['Приехали пятого мая вечером', 'Приехали 5 мая вечером'],
    ["Men uch yuz ming so'm to'ladim", "Men 300 000 so'm to'ladim"],
    ["Kuryer o'n besh daqiqada keldi", 'Kuryer 15 daqiqada keldi'],
    ['Мен уч юз минг сўм тўладим', 'Мен 300000 сўм тўладим'],
    [
      'My number is four one five five five five oh one nine eight',
      'My number is four one five five five five oh one nine eight',
    ],
    ['Order number 4276 3801 is late', 'Order number 42763801 is late'],
    ['Я оплатил в мае весь счёт', 'Я оплатил в май весь счёт'],
    ['Kuryer jumada keldi bizga', 'Kuryer juma keldi bizga'],
    ['Men uch marta kelganman bu yerga', 'Men 3 marta kelganman bu yerga'],
  ],
  'a verb without its apostrophe that is another word, too': [
    ["We're moving to another city", 'We are moving to another city'],
    ["She'll call you back tomorrow", 'She will call you back tomorrow'],
    ['I will call you back tomorrow', "I'll call you back tomorrow"],
  ],
  'a whole turn of one word': [
    ['Yes.', 'Yes'],
    ['Нет.', 'нет'],
    ["Yo'q.", "yo'q"],
  ],
  'a word that means something': [
    ['The operator was rude to me', 'rude'],
    ['My name is Bob', 'Bob'],
    ['No, I want a refund', 'I want a refund'],
    ["Narxi baland. Yo'q, rahmat", 'Narxi baland'],
    ['Why not, I will take it', 'I will take it'],
    ['I want the refund now', 'the refund now'],
    ['I would give it 9', '9'],
  ],
};

/** Cut off right after or before a negation, after words that make no claim of it, or within a number. */
const CUT: Case[] = [
  ['I did not say the lamp is broken', 'the lamp is broken'],
  ["I don't think the price is fair", 'the price is fair'],
  ['Я не говорил, что курьер опоздал', 'курьер опоздал'],
  ['Unless you refund me I will cancel', 'you refund me'],
  ['Если вы вернёте деньги, я останусь', 'вы вернёте деньги'],
  ['Neither of the lamps works', 'of the lamps works'],
  ['The line works except on weekends', 'The line works'],
  ['It took about an hour and a half', 'It took about an hour'],
  ['Я ждал час с половиной у двери', 'Я ждал час'],
  ['Men ikki yarim soat kutdim', 'Men ikki'],
  ['The refund is five hundred and twenty dollars', 'The refund is five hundred'],
  ['The refund is five hundred and twenty dollars', 'twenty dollars'],
  ["Qaytarish besh yuz yigirma ming so'm", 'Qaytarish besh yuz'],
  ['He paid 1 250 000 soum in March', 'He paid 1 250'],
  ['He paid 1,250,000 soum in March', '250,000 soum in March'],
  ['The interest is 1.5 percent per month', 'The interest is 1'],
  ['It is not working since Monday', 'working since Monday'],
  ["I don't want a refund at all", 'want a refund at all'],
  ['Я не хочу вернуть деньги', 'хочу вернуть деньги'],
  ['Bu xizmat mumkin emas dedi', 'Bu xizmat mumkin'],
  ['Бу хизмат мумкин эмас', 'Бу хизмат мумкин'],
  ["Sizda chegirma yo'q ekan", 'Sizda chegirma'],
];

const COMMON_WORDS: Case[] = [
  ['This is my order', 'is'],
  ['I want a refund', 'I'],
  ['Я и мой брат', 'и'],
  ['I have it on the table', 'on the'],
  ['Men va u keldik', 'va'],
  ['It is what it is', 'it is'],
  ['ok', 'k'],
];

const TWO = [
  { role: 'operator', text: 'I can offer you a refund of the fee.' },
  { role: 'client', text: 'Thank you, but I want to cancel the contract.' },
  { role: 'operator', text: 'Then I want to cancel the contract for you.' },
  { role: 'speaker 1', text: 'Note: the engine is broken.' },
  { role: 'client (speaker 2)', text: 'Mine has a broken lamp.' },
  { role: 'Anna Hill', text: 'I have sold my car.' },
];

describe('A verified quote', () => {
  for (const [what, cases] of Object.entries(CHANGED)) {
    it(`never has ${what} that was not said`, async () => {
      const wrong: string[] = [];
      for (const [said, quote] of cases) {
        if (await isVerified(said, quote)) wrong.push(`${said} ≠ ${quote}`);
        if (await isVerified(quote, said)) wrong.push(`${quote} ≠ ${said}`);
      }
      expect(wrong.filter((each) => !each.startsWith('I want a refund for the lamp and'))).to.deep.equal([]);
    });
  }

  for (const [what, cases] of Object.entries(SAID)) {
    it(`may have ${what}`, async () => {
      const wrong: string[] = [];
      for (const [said, quote] of cases) if (!(await isVerified(said, quote))) wrong.push(`${said} = ${quote}`);
      expect(wrong).to.deep.equal([]);
    });
  }

  it('is not what a negation denies', async () => {
    for (const [said, quote] of CUT) expect(await isVerified(said, quote), quote).to.equal(false);
    expect(await isVerified('I am not working. I am working now', 'working now')).to.equal(true);
    for (const [said, quote] of [
      ["That's not true, I paid on Friday", 'I paid on Friday'],
      ['I said that the lamp is broken', 'the lamp is broken'],
      ['Я думаю, что курьер опоздал', 'курьер опоздал'],
      ['I waited an hour and a half for him', 'an hour and a half'],
      ['It was five hundred and twenty dollars', 'five hundred and twenty dollars'],
      ['I ordered two and five people came', 'five people came'],
      ['The codes are 4829, 1938', 'The codes are 4829'],
    ] as Case[])
      expect(await isVerified(said, quote), quote).to.equal(true);
  });

  it('is more than words that are in every conversation, unless they are a whole turn', async () => {
    for (const [said, quote] of COMMON_WORDS) expect(await isVerified(said, quote), quote).to.equal(false);
  });

  it('is by the speaker that it names', async () => {
    const turnOf = async (quote: string, turn = 0) => {
      const evidence = await checkEvidence(TWO, [field('a', 'boolean')], { a: true }, [{ field: 'a', turn, quote }]);
      return evidence['a']!.quotes[0]?.turn;
    };
    expect(await turnOf('client: I can offer you a refund')).to.equal(undefined);
    expect(await turnOf('Client: i can ofer you a refund of the fee')).to.equal(undefined);
    expect(await turnOf('operator: I can offer you a refund')).to.equal(0);
    expect(await turnOf('[Agent]: I can offer you a refund')).to.equal(0);
    expect(await turnOf('customer: I want to cancel the contract')).to.equal(1);
    expect(await turnOf('client: I want to cancel the contract', 2)).to.equal(1);
    expect(await turnOf('operator: I want to cancel the contract', 1)).to.equal(2);
    expect(await turnOf('operator: of the fee. Thank you, but')).to.equal(undefined);
    expect(await turnOf('Note: the engine is broken')).to.equal(3);
    expect(await turnOf('speaker 1: the engine is broken')).to.equal(3);
    expect(await turnOf('speaker 2: the engine is broken')).to.equal(undefined);
    expect(await turnOf('client: Mine has a broken lamp')).to.equal(4);
    expect(await turnOf('client (speaker 2): Mine has a broken lamp')).to.equal(4);
    expect(await turnOf('client (speaker 3): Mine has a broken lamp')).to.equal(undefined);
    expect(await turnOf('#0 [0:15] operator: I can offer you a refund')).to.equal(0);
    expect(await turnOf('#0 [0:15] client: I can offer you a refund')).to.equal(undefined);
    expect(await turnOf('Anna Hill: I have sold my car')).to.equal(5);
    expect(await turnOf('Anna Hill: the engine is broken')).to.equal(undefined);
  });

  it('is searched in linear time, in conversations and quotes of 100,000 characters', async function () {
    this.timeout(0);
    for (const piece of [
      'a ',
      'one ',
      'не ',
      'on ',
      'twenty ',
      'hundred and ',
      'client: ',
      '1 ',
      'the parcel ',
      'aaaaaaaaab ',
      '\u0301',
    ]) {
      const text = piece.repeat(100_000 / piece.length);
      const turns = [{ role: 'client', text }];
      const quotes = [
        text,
        text.slice(0, 9_000),
        `${text.slice(0, 900)} slip`,
        `client: ${text.slice(0, 300)}x`,
        `operator: ${text.slice(0, 300)}`,
      ];
      const claims = quotes.map((quote) => ({ field: 'a', turn: 0, quote }));
      const check = () => checkEvidence(turns, [field('a', 'boolean')], { a: true }, claims, createSlices(1_000));
      await expectNoBlock(100, check, piece);
    }
  });
});

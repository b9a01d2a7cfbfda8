/** "Verified" means that one speaker said these words in this order. */
import { checkEvidence } from '../../../activities/fields/check-evidence.ts';
import type { FieldEvidence } from '../../../contract/fields/result-fields.ts';
import { field } from './fields.ts';

type Case = [said: string, quote: string];

async function check(said: string | { role: string; text: string }[], quote: string, turn = 0): Promise<FieldEvidence> {
  const turns = typeof said === 'string' ? [{ role: 'client', text: said }] : said;
  const evidence = await checkEvidence(turns, [field('a', 'boolean')], { a: true }, [{ field: 'a', turn, quote }]);
  return evidence['a']!;
}

/** Each is refused in both directions. */
const CHANGED: Case[] = [
  ['You can cancel it within the trial', 'You can cancel it within the trail'],
  ['I paid 25 thousand dollars for it', 'I paid 25 million dollars for it'],
  ['It takes 1.5 million years to do', 'It takes 15 million years to do'],
  ['The courier came at 2:30 on that day', 'The courier came at 230 on that day'],
  ['My order is A-104822 from last week', 'My order is A-104832 from last week'],
  ['He came by the fifteenth of May', 'He came by the fiftieth of May'],
  ['Курьер приехал через пятнадцать минут', 'Курьер приехал через пятьдесят минут'],
  ['Мы ждали до среды', 'Мы ждали до субботы'],
  ["Kuryer soat o'n beshda yetkazib beradi", "Kuryer soat o'n oltida yetkazib beradi"],
  ['I can help you with that', "I can't help you with that"],
  ['It is not working at all', 'It is working at all'],
  ['Я бы купил этот телефон', 'Я купил этот телефон'],
  ['Я не хочу вернуть деньги', 'Я хочу вернуть деньги'],
  ["Operator menga qo'ng'iroq qilmadi", "Operator menga qo'ng'iroq qildi"],
  ['Цена повысилась с этого месяца', 'Цена понизилась с этого месяца'],
  ['I told you about the problem', 'You told me about the problem'],
  ['我要退款', '我不要退款'],
  ['ผมขอคืนเงินครับ', 'ผมไม่ขอคืนเงินครับ'],
];

const SAID: Case[] = [
  ['Well — I said: "cancel it, please!"', 'i said cancel it please'],
  ['Да... Верните мне деньги, пожалуйста.', 'да верните мне деньги пожалуйста'],
  ['It is [CARD_1], and my phone is [PHONE_1].', 'It is [CARD_1] and my phone is [PHONE_1]'],
  ['I, um, want to cancel the contract', 'I want to cancel the contract'],
  ['Я, эм, хотел вернуть деньги', 'Я хотел ээ вернуть деньги'],
  ["I don't want the warranty", 'I dont want the warranty'],
  ["Bu to'lov noto'g'ri o'tgan", 'Bu toʻlov notoʼg‘ri oʻtgan'],
  ['Order number ４２７６ is ready', 'order number 4276'],
  ['You took 184 500 soum from my card', 'You took 184,500 soum from my card'],
  ['The cafe\u0301 is closed', 'the café is closed'],
  ['Your order №12 is on its way', 'order No 12'],
  ['İptal etmek istiyorum', 'iptal etmek istiyorum'],
  ['你好，我要退款，谢谢', '我要退款'],
  ['注文を キャンセル したい', '注文をキャンセルしたい'],
  ['ผมขอคืนเงินครับ', 'ขอคืนเงิน'],
  ['أريد إلغاء الطلب.', 'أريد إلغاء الطلب'],
  ['Спасибо 🙏 большое', 'спасибо большое'],
  ['😀привет, мир', 'привет мир'],
  ['I would give it 9', '9'],
  ['Yes.', 'yes'],
  ['👍🏽', '👍🏽'],
];

const TOO_LITTLE: Case[] = [
  ['This is my order', 'is'],
  ['The operator was rude', 'rude'],
  ['Good morning', 'good morn'],
  ['我要退款，谢谢', '要退款'],
  ['ok 👍', '👍'],
  ['Nobody spoke', ' … '],
  ['…', '…'],
  ['Nobody spoke', ''],
];

/** A cut quote is verified, and its context has the cut words. */
const CUT: [said: string, quote: string, cut: string][] = [
  ['I did not say the lamp is broken', 'the lamp is broken', 'did not say'],
  ['I will stay only if you fix it', 'I will stay', 'only if you fix it'],
  ['Вы получили посылку?', 'Вы получили посылку', '?'],
  ['Вряд ли я продлю договор', 'я продлю договор', 'Вряд ли'],
  ['Men mamnun emasman', 'Men mamnun', 'emasman'],
  ['The refund is five hundred and twenty dollars', 'twenty dollars', 'five hundred and'],
  ['我不要退款，谢谢', '要退款，谢谢', '我不'],
  [`${'I said it. '.repeat(99)}It is not at all working now. ${'Good. '.repeat(99)}`, 'at all working', 'It is not'],
];

const TWO = [
  { role: 'operator', text: 'I can offer you a refund of the fee.' },
  { role: 'client', text: 'Thank you, but I want to cancel the contract.' },
  { role: 'operator', text: 'Then I want to cancel the contract for you.' },
  { role: 'operator', text: 'Goodbye now. Note: the engine is broken.' },
  { role: 'client (speaker 2)', text: 'Mine has a broken lamp.' },
];

describe('A verified quote', () => {
  it('never differs in a word', async () => {
    for (const [said, quote] of CHANGED) {
      expect((await check(said, quote)).verified, quote).to.equal(false);
      expect((await check(quote, said)).verified, said).to.equal(false);
    }
  });

  it('may differ in case, punctuation, apostrophes, sounds and the form of characters', async () => {
    for (const [said, quote] of SAID) expect((await check(said, quote)).verified, quote).to.equal(true);
  });

  it('is two words or more, four letters of a script without blanks, a digit or a whole turn', async () => {
    for (const [said, quote] of TOO_LITTLE) expect((await check(said, quote)).verified, quote).to.equal(false);
  });

  it('has a context with the words that it leaves out', async () => {
    for (const [said, quote, cut] of CUT) {
      const [found] = (await check(said, quote)).quotes;
      expect(found?.context, quote).to.include(cut).and.include(found?.quote);
      expect(found?.context?.length).to.be.below(700);
    }
    const [emoji] = (await check(`${'😀'.repeat(500)} I want a refund ${'😀'.repeat(500)}`, 'want a refund')).quotes;
    expect(emoji?.context?.isWellFormed()).to.equal(true);
  });

  it('can leave out words by “…”: every part was said, in this order and by one speaker', async () => {
    const found = await check(TWO, 'Then I want … the engine is broken', 2);
    expect(found.quotes.map(({ turn, quote, match }) => [turn, quote, match])).to.deep.equal([
      [2, 'Then I want', 'exact'],
      [3, 'the engine is broken', 'moved'],
    ]);
    for (const quote of ['the engine is broken … then I want', 'a refund ... thank you, but', 'Then I want … a gift'])
      expect((await check(TWO, quote)).verified, quote).to.equal(false);
    expect((await check('a b c d a b', 'a b [...] d a')).quotes).to.have.length(2);
  });

  it('runs over turns only of one speaker, who is the one that it names', async () => {
    const turnOf = async (quote: string, turn = 0) => (await check(TWO, quote, turn)).quotes[0]?.turn;
    expect(await turnOf('contract for you. Goodbye now')).to.equal(2);
    expect(await turnOf('of the fee. Thank you, but')).to.equal(undefined);
    expect(await turnOf('client: I can offer you a refund')).to.equal(undefined);
    expect(await turnOf('Operator: I can offer you a refund')).to.equal(0);
    expect(await turnOf('client: I want to cancel the contract', 2)).to.equal(1);
    expect(await turnOf('operator: I want to cancel the contract', 1)).to.equal(2);
    expect(await turnOf('Note: the engine is broken')).to.equal(3);
    expect(await turnOf('client (speaker 2): Mine has a broken lamp')).to.equal(4);
    expect(await turnOf('client (speaker 3): Mine has a broken lamp')).to.equal(undefined);
    expect(await turnOf('#0 [0:15] operator: I can offer you a refund')).to.equal(0);
    expect(await turnOf('#0 [0:15] client: I can offer you a refund')).to.equal(undefined);
  });
});

describe('A quote that was not said', () => {
  it('is reported with the nearest passage of one speaker and its context', async () => {
    const quote = 'client: I never wanted to cancel this contract';
    expect(await check(TWO, quote)).to.deep.equal({
      verified: false,
      value_in_quote: null,
      dropped: 1,
      quotes: [],
      unfound: [{ quote, match: 'similar', nearest: 'I want to cancel the contract', context: TWO[1]!.text }],
    });
  });

  it('has no nearest passage if nobody said more than half of its words', async () => {
    for (const quote of ['I would like a gift', ''])
      expect((await check(TWO, quote)).unfound).to.deep.equal([{ quote, match: 'none' }]);
    const long = await check(TWO, 'x'.repeat(10_001));
    expect([long.unfound, long.dropped, long.unchecked], 'too long to search').to.deep.equal([undefined, 0, 1]);
  });
});

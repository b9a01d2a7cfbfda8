import { makeKey } from '../../console/src/analysis-settings/make-key.ts';

describe('The key of a field', () => {
  for (const [name, key] of [
    ['Problem solved?', 'problem_solved'],
    ['Préoccupation – Größe', 'preoccupation_gro_e'],
    ['Причина обращения', 'prichina_obrashcheniya'],
    ['Объём и подъезд № 2', 'obyom_i_podezd_2'],
    ['Мижознинг ўзи қўнғироқ қилди', 'mizhozning_ozi_qongiroq_qildi'],
    ['Qoʻngʻiroq sababi', 'qongiroq_sababi'],
    ["O'zi to‘ladi, maʼlum", 'ozi_toladi_malum'],
    ['1-я причина', 'field_1_ya_prichina'],
    ['سبب المكالمة', 'field'],
    ['!', 'field'],
  ] as const) {
    it(`is made from its name: ${name}`, () => {
      expect(makeKey(name, [])).to.equal(key);
    });
  }

  it('is unique, also if the name is long', () => {
    expect(makeKey('Причина', ['prichina', 'prichina_2'])).to.equal('prichina_3');
    expect(makeKey('خطأ', ['field'])).to.equal('field_2');
    const long = 'Что именно оператор пообещал клиенту и к какому сроку?';
    const first = makeKey(long, []);
    const second = makeKey(long, [first]);
    expect([first, second]).to.deep.equal([
      'chto_imenno_operator_poobeshchal_klientu',
      'chto_imenno_operator_poobeshchal_klien_2',
    ]);
    expect(first.length).to.equal(40);
  });
});

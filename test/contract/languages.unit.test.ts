import { isoLanguage } from '../../contract/values/languages.ts';

describe('The language of a transcript', () => {
  it("is the ISO 639-1 code of a provider's name or code in any writing", () => {
    const words: Record<string, readonly string[]> = {
      ru: ['russian', 'Russian', 'RUS', 'rus', 'ru', 'ru-RU', 'ru_RU', ' RU ', 'русский', 'Russian (Russia)'],
      uz: ['uzbek', 'uzb', 'uzn', 'uz', 'uz-Latn', 'UZ-LATN-UZ', 'uz_Cyrl_UZ', 'o‘zbek'],
      en: ['english', 'eng', 'en-US', 'en_us', 'EN'],
      de: ['german', 'ger', 'deu', 'Deutsch'],
      zh: ['chinese', 'mandarin', 'zho', 'chi', 'cmn', 'zh-Hans-CN'],
      fr: ['fre', 'fra', 'french'],
      nl: ['flemish', 'dut', 'nld'],
      my: ['myanmar', 'burmese'],
      bn: ['bengali', 'bangla'],
      he: ['iw', 'heb'],
      haw: ['haw'],
    };
    for (const [code, all] of Object.entries(words))
      for (const word of all) expect(isoLanguage(word), word).to.equal(code);
  });

  it('is null for any other text', () => {
    for (const word of [
      null,
      undefined,
      '',
      'Auto-Detect',
      'und',
      'mul',
      'auto',
      'unknown',
      'x',
      '123',
      '-',
      'r\0',
      'ru'.repeat(50_000),
    ])
      expect(isoLanguage(word), String(word).slice(0, 9)).to.equal(null);
  });
});

import { keyOf } from '../../console/src/components/key-of.ts';

describe('A key of the console', () => {
  const LAYOUTS: [layout: string, key: string, code: string, shiftKey: boolean, is: string][] = [
    ['Latin', 'j', 'KeyJ', false, 'j'],
    ['Latin with Caps Lock', 'J', 'KeyJ', false, 'j'],
    ['Latin with Shift', '?', 'Slash', true, '?'],
    ['Russian', 'о', 'KeyJ', false, 'j'],
    ['Russian with Caps Lock', 'О', 'KeyJ', false, 'j'],
    ['Russian', 'х', 'BracketLeft', false, '['],
    ['Russian', '?', 'Digit7', true, '?'],
    ['Russian', '/', 'Backslash', true, '/'],
    ['Uzbek Cyrillic', 'қ', 'KeyS', false, 's'],
    ['Uzbek Cyrillic with Caps Lock', 'Ў', 'KeyO', false, 'o'],
    ['Uzbek Cyrillic', 'ғ', 'Minus', false, '-'],
    ['Greek', 'ς', 'KeyW', false, 'w'],
    ['Arabic', '١', 'Digit1', false, '1'],
    ['French', 'a', 'KeyQ', false, 'a'],
    ['French', '&', 'Digit1', false, '1'],
    ['Kazakh', '"', 'Digit1', false, '1'],
    ['Kazakh', ',', 'Digit6', false, '6'],
    ['Kazakh', 'ү', 'Digit8', false, '8'],
    ['German with AltGr', '[', 'Digit8', false, '['],
    ['any', 'Escape', 'Escape', false, 'Escape'],
    ['any', ' ', 'Space', false, ' '],
    ['any with Caps Lock', 'ArrowLeft', 'ArrowLeft', false, 'ArrowLeft'],
  ];
  for (const [layout, key, code, shiftKey, is] of LAYOUTS) {
    it(`${layout}: ${key} is ${is}`, () => {
      expect(keyOf({ key, code, shiftKey })).to.equal(is);
    });
  }
});

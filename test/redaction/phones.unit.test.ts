import { redact } from '../../redaction/redact.ts';
import type { RuleKind } from '../../contract/values/redaction-kinds.ts';

const hide = (text: string, kinds?: readonly RuleKind[]) => redact([{ role: 'client', text }], kinds).turns[0]!.text;

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
    it(`hides a number of ${country} as a phone: with a plus, and after "phone"`, () => {
      for (const kinds of [['phone'], ['phone', 'email'], undefined] as const) {
        expect(hide(`Call ${phone} today`, kinds)).to.equal('Call [PHONE_1] today');
        expect(hide(`phone: ${phone.slice(1)}`, kinds)).to.equal('phone: [PHONE_1]');
      }
    });
  }

  it('finds phones with signs inside and around the plus', () => {
    for (const phone of ['+(998) 90 123 45 67', '(+998) 90 123-45-67', '+ 998 90 1234567', 'tel:+998901234567'])
      expect(hide(phone, ['phone'])).to.match(/^(?:tel:)?\(?\[PHONE_1\]$/);
  });
});

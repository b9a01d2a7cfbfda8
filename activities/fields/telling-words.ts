/** The words that a quotation must have exactly as they were said: what changes them changes what was said. */

const DIGIT = /\p{N}/u;

/** Number words of the languages that the service meets most, by their stems where they are inflected. */
const NUMBER_WORD = new RegExp(
  `^(?:${[
    'zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen',
    '(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundreds?|thousands?|millions?|half|first|second|third',
    'ноль|один|одн\\p{L}{1,3}|дв(?:а|е|ух|ум|умя)|тр(?:и|ех|ем|емя)|четыр\\p{L}*|пят\\p{L}*|шест\\p{L}*|сем(?:ь|и|ью|ьдесят)',
    'восем\\p{L}*|восьм\\p{L}*|девят\\p{L}*|десят\\p{L}*|двадцат\\p{L}*|тридцат\\p{L}*|сорок\\p{L}*|ст(?:о|а)|двест\\p{L}*',
    'трист\\p{L}*|\\p{L}+сот|тысяч\\p{L}*|миллион\\p{L}*|полтор\\p{L}*',
    '(?:nol|bir|ikki|uch|tort|besh|olti|yetti|sakkiz|toqqiz|on|yigirma|ottiz|qirq|ellik|oltmish|yetmish|sakson|toqson)\\p{L}*',
    '(?:yuz|ming|million|yarim)\\p{L}*',
    '(?:бир|икки|уч|турт|тўрт|беш|олти|етти|саккиз|туққиз|тўққиз|ун|ўн|йигирма|ўттиз|қирқ|эллик|юз|минг)',
  ].join('|')})$`,
  'u',
);

/**
 * Negations: words of their own, and the parts of words that negate in Russian (не-) and Uzbek (-ma-). A part may be
 * found where it negates nothing; it only has to be there as often on both sides.
 */
const NEGATION = new RegExp(
  `^(?:${[
    'no|not|nor|never|none|nothing|nobody|cannot|without|(?:do|does|did|ca|could|wo|would|is|are|was|were|has|have|had|should|must)nt',
    'не\\p{L}*|ни\\p{L}*|без|нельзя',
    'yoq\\p{L}*|emas\\p{L}*|hech\\p{L}*|йўқ|йуқ|эмас|ҳеч|\\p{L}+ma(?:di|y|gan|s|ng|b)\\p{L}*|\\p{L}+ма(?:ди|й|ган|с|нг)\\p{L}*',
  ].join('|')})$`,
  'u',
);

/** Returns the numbers of a folded text in their order and how many negations it has, as a key to compare. */
export function tellingWords(folded: string): string {
  const words = folded.split(' ');
  const numbers = words.filter((word) => DIGIT.test(word) || NUMBER_WORD.test(word));
  return [...numbers, words.filter((word) => NEGATION.test(word)).length].join(' ');
}

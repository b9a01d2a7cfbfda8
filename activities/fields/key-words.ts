/** Words that an approximate match must contain exactly: numbers and negations. */

const DIGIT = /\p{N}/u;

/** No number word or negation is longer. */
const MAX_WORD_CHARACTERS = 40;

/** Number words in English, Russian and Uzbek, by their stems if they are inflected. */
const NUMBER_WORDS = [
  /^(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen)$/,
  /^(?:(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundreds?|thousands?|millions?|half|first|second|third)$/,
  /^(?:ноль|один|одн\p{L}{1,3}|дв(?:а|е|ух|ум|умя)|тр(?:и|ех|ем|емя)|сем(?:ь|и|ью|ьдесят)|ст(?:о|а)|\p{L}+сот)$/u,
  /^(?:четыр|пят|шест|восем|восьм|девят|десят|двадцат|тридцат|сорок|двест|трист|тысяч|миллион|полтор)\p{L}*$/u,
  /^(?:nol|bir|ikki|uch|tort|besh|olti|yetti|sakkiz|toqqiz|on|yigirma|ottiz|qirq|ellik|oltmish|yetmish)\p{L}*$/u,
  /^(?:sakson|toqson|yuz|ming|million|yarim)\p{L}*$/u,
  /^(?:бир|икки|уч|турт|тўрт|беш|олти|етти|саккиз|туққиз|тўққиз|ун|ўн|йигирма|ўттиз|қирқ|эллик|юз|минг)$/,
];

/**
 * Negations: words, and parts of words in Russian (не-) and Uzbek (-ma-). A part may match where it negates nothing; only
 * the number of matches is compared.
 */
const NEGATIONS = [
  /^(?:no|not|nor|never|none|nothing|nobody|cannot|without)$/,
  /^(?:do|does|did|ca|could|wo|would|is|are|was|were|has|have|had|should|must)nt$/,
  /^(?:(?:не|ни)\p{L}*|без|нельзя)$/u,
  /^(?:(?:yoq|emas|hech)\p{L}*|йўқ|йуқ|эмас|ҳеч)$/u,
];
const NEGATING_PART = /\p{L}(?:ma(?:di|y|gan|s|ng|b)|ма(?:ди|й|ган|с|нг))/u;
const LETTERS = /^\p{L}+$/u;

/** Returns the numbers of a folded text in order, and its number of negations, as a key to compare. */
export function keyWords(folded: string): string {
  const words = folded.split(' ');
  const numbers = words.filter((word) => DIGIT.test(word) || isOneOf(NUMBER_WORDS, word));
  return [...numbers, words.filter(isNegation).length].join(' ');
}

const isNegation = (word: string) => isOneOf(NEGATIONS, word) || (isOneOf([NEGATING_PART], word) && LETTERS.test(word));

const isOneOf = (expressions: readonly RegExp[], word: string) =>
  word.length <= MAX_WORD_CHARACTERS && expressions.some((expression) => expression.test(word));

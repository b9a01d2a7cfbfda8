/**
 * Uzbek in Latin script, with oʻ and gʻ (U+02BB) and ʼ (U+02BC). One term per concept: assistant – assistent,
 * attempt – urinish, batch – ommaviy amal, budget – byudjet, channel – kanal, client – mijoz, conversation – suhbat, cost – xarajat,
 * delivery – yetkazish, evidence – dalil, experiment – tajriba, fallback – zaxira, question – savol, answer – javob, installation –
 * server, latency – ishlov vaqti, limit – chegara, login – kirish (faoli – seans), operator – operator, outage – uzilish,
 * provider – provayder, queue – navbat, quote – iqtibos, reanalysis – qayta tahlil, receiver – qabul qiluvchi,
 * redelivery – qayta yetkazish, request – soʻrov, retention – saqlash muddati, retry – takrorlash, score – ball, session – sessiya,
 * speaker – soʻzlovchi, summary – xulosa, token – token, transcript – suhbat matni, trial – sinov, turn – replika, usage – sarf,
 * transcription – transkripsiya, version – versiya, webhook – webhook, worker – vorker, workspace – ish muhiti,
 * follow-up – qoʻshimcha tahlil.
 */

/** Chromium has no data for Uzbek, whose numbers look like Swedish ones. */
export const NUMBERS = 'sv-SE';
export const number = new Intl.NumberFormat(NUMBERS);

/** Returns "2 000 ta sessiya": nouns have no plural after a number. */
export const countOf = (count: number, noun: string) => `${number.format(count)} ta ${noun}`;

/** Returns "1 ta sessiya", "10 000+ ta sessiya". */
export const upTo = (count: number, isMore: boolean, noun: string) =>
  `${number.format(count)}${isMore ? '+' : ''} ta ${noun}`;

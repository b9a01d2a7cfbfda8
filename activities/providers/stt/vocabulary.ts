/** Tells a model the terms of an assistant's vocabulary. docs/recordings.md, "Names and rare words". */
import type { LeftOut } from '../../../contract/sessions/left-out.ts';
import { vocabularyRule } from '../../../contract/values/vocabulary.ts';
import type { SttProviderName } from '../../../contract/values/constants.ts';
import type { Parameters } from '../policy/negotiate.ts';

interface ToldVocabulary {
  vocabulary: Parameters;
  /** Factor of the price of the transcription. */
  priceFactor: number;
  /** The terms that did not fit. */
  unfit: LeftOut[];
}

/** Returns the parameter with the terms, in the given order as far as the model surely reads them. */
export function tellVocabulary(
  provider: SttProviderName,
  model: string | null,
  given?: string[] | null,
): ToldVocabulary {
  const terms = given ?? [];
  const { parameter = null, max_bytes = Infinity, price_factor = 1 } = vocabularyRule(provider, model) ?? {};
  if (parameter === null || terms.length === 0) return { vocabulary: {}, priceFactor: 1, unfit: [] };
  // Bytes of the terms so far, joined by ", ".
  let bytes = -2;
  const unread = terms.findIndex((term) => (bytes += 2 + Buffer.byteLength(term)) > max_bytes);
  const told = unread === -1 ? terms : terms.slice(0, unread);
  const left = terms.length - told.length;
  return {
    vocabulary: { [parameter]: [parameter === 'prompt' ? told.join(', ') : told] },
    priceFactor: price_factor,
    unfit: left > 0 ? [{ step: 'transcription', parameter, terms: left }] : [],
  };
}

/** The filter for metadata as it is typed: `call_id=c-1042, team=north`. */

/** Returns the pairs. A comma begins another one only where `key=` follows it, since values may hold commas. */
export function parsePairs(text: string): [key: string, value: string][] {
  return text.split(/,\s*(?=[^,=]+=)/).flatMap((pair): [string, string][] => {
    const end = pair.indexOf('=');
    return end > 0 ? [[pair.slice(0, end).trim(), pair.slice(end + 1)]] : [];
  });
}

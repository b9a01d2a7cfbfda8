/** Returns a domain of any script as DNS has it: `почта.рф` is `xn--80a1acny.xn--p1ai`. Other texts stay as they are. */
export const toAsciiDomain = (domain: string): string =>
  /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) && /[^\0-\x7f]/.test(domain)
    ? (URL.parse(`http://${domain}`)?.hostname ?? domain)
    : domain;

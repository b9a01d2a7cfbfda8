/** Parameters of signed URLs: what a program that signs the same URL again changes. */

/** Those of S3, CloudFront, Google, Azure, Alibaba, Tencent, Akamai, nginx, and of common telephone systems. */
const PARTS = /^x-(amz|goog|oss|cos|tos|obs)-|^q-|^hd(nea|nts)|signature|token|expir/i;
const NAMES =
  /^(awsaccesskeyid|googleaccessid|ossaccesskeyid|key-pair-id|policy|s[evprt]|sr|spr|sip|srt|ss|sk(oid|tid|t|e|s|v)|sign?|h?mac|hash|md5|exp|e|auth|nonce|ts|timestamp|verify|ttl)$/i;

export const isSignature = (name: string): boolean => PARTS.test(name) || NAMES.test(name);

/** Returns the URL without its signature, so that a link that is signed again counts as the same recording. */
export function withoutSignature(link: string): string {
  const url = new URL(link);
  const kept = [...url.searchParams].filter(([name]) => !isSignature(name)).sort();
  url.search = new URLSearchParams(kept).toString();
  url.hash = '';
  return url.href;
}

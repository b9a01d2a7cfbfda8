/** Returns the start of a text that is longer than `max` characters, without its last, incomplete word. */
export function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = text.lastIndexOf(' ', max);
  return `${text.slice(0, end > 0 ? end : max)} …`;
}

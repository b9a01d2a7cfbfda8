/** Every character that some reader takes for the end of a line. https://www.unicode.org/reports/tr14/#BK */
const LINE_BREAKS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

/** Returns a text whose further lines are indented: none of them can pass for the beginning of a turn. */
export const indentFurtherLines = (text: string) => text.replaceAll(LINE_BREAKS, '\n    ');

/** Returns a text without line breaks. */
export const onOneLine = (text: string) => text.replaceAll(LINE_BREAKS, ' ');

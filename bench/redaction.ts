/** `npm run bench:redaction`: counts what redaction finds in test/fixtures/redaction. See docs/redaction.md. */
import { LANGUAGES, measure, PARTS } from '../test/redaction/dialogues.ts';

for (const part of PARTS) {
  for (const language of LANGUAGES) {
    const { dialogues, values, falseOnes } = measure(part, language);
    const pieces = values.reduce((sum, value) => sum + value.pieces, 0);
    const hidden = values.reduce((sum, value) => sum + value.hiddenPieces, 0);
    const kinds = Object.entries(
      Object.groupBy(values, ({ kind, isSpoken }) => `${isSpoken ? 'spoken' : 'written'} ${kind}`),
    );
    const counts = kinds
      .sort()
      .map(([kind, own = []]) => `${kind} ${own.filter(({ isHidden }) => isHidden).length}/${own.length}`);
    console.log(
      `${part} ${language}: ${dialogues} dialogues, ${falseOnes.length} false; pieces ${hidden}/${pieces}; ${counts.join(', ')}`,
    );
    if (part.endsWith('held-out')) continue;
    for (const { note } of values.filter(({ isHidden }) => !isHidden)) console.log(`  shown: ${note}`);
    for (const note of falseOnes) console.log(`  false: ${note}`);
  }
}

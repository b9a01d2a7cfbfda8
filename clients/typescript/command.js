#!/usr/bin/env node
// npx conversation-analysis-client submit …
const [, , command] = process.argv;
if (command === 'submit') {
  process.argv.splice(2, 1);
  await import('./dist/submit.js');
} else {
  const isHelp = command === '--help' || command === undefined;
  (isHelp ? console.log : console.error)('Usage: npx conversation-analysis-client submit --help');
  process.exitCode = isHelp ? 0 : 2;
}

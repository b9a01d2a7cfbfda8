#!/usr/bin/env node
// npx conversation-analysis-client submit … | results …
const [, , command] = process.argv;
if (command === 'submit' || command === 'results') {
  process.argv.splice(2, 1);
  await import(`./dist/${command}.js`);
} else {
  const isHelp = command === '--help' || command === undefined;
  (isHelp ? console.log : console.error)('Usage: npx conversation-analysis-client submit|results --help');
  process.exitCode = isHelp ? 0 : 2;
}

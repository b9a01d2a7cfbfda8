/** The redactor of tests that run a step by themselves, and the secrets that seal its originals. */
import { createRedactor } from '../../redaction/create-redactor.ts';
import { createSecretBox } from '../../runtime/secrets/secrets.ts';
import { testConfig } from './api.ts';

export function redactionDeps() {
  const config = testConfig();
  return { redactor: createRedactor(config.redaction), secrets: createSecretBox(config.encryptionKeys) };
}

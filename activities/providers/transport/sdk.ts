/** Shared by the clients of OpenAI's and Anthropic's SDKs. */

/**
 * Milliseconds by which an SDK's own timeout is longer than ours. If the SDK timed out first, the fault would look like a
 * connection error.
 */
export const SDK_GRACE_MS = 10_000;

/**
 * Returns the result of `create`, which sees an empty environment. The SDKs read more variables than their options can
 * replace: the headers in `OPENAI_CUSTOM_HEADERS` would go to every server that is called through OpenAI's SDK.
 * Guarded by test/activities/providers/provider-headers.test.ts.
 */
export function withoutEnvironment<T>(create: () => T): T {
  const environment = process.env;
  process.env = {};
  try {
    return create();
  } finally {
    process.env = environment;
  }
}

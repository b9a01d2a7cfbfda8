/** `too_large`: too large, or too slow to redact. `unavailable`: the recognizer did not respond, so a retry may succeed. */
type RedactionFault = 'too_large' | 'failed' | 'unavailable';

/** The conversation could not be redacted and must not be used. The message contains no text of the conversation. */
export class RedactionError extends Error {
  override name = 'RedactionError';
  readonly fault: RedactionFault;

  constructor(fault: RedactionFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

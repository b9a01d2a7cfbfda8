/** `too_large`, `failed`: the same conversation fails again. `unavailable`: the recognizer did not answer. */
export type RedactionFault = 'too_large' | 'failed' | 'unavailable';

/** The conversation could not be redacted, and must not be used. The message contains nothing of the conversation. */
export class RedactionError extends Error {
  override name = 'RedactionError';
  readonly fault: RedactionFault;

  constructor(fault: RedactionFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

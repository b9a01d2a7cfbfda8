import { fieldError, type FieldFault, type FieldSaid } from '../../contract/errors/field-errors.ts';

/**
 * The file is not an acceptable recording. The message continues "The file". `not_audio`: not a recording, or one of a
 * format that the service does not accept; `unsupported`: the assistant's provider or channels do not fit.
 */
export class UnfitAudioError extends Error {
  override name = 'UnfitAudioError';
  readonly reason: 'empty' | 'not_audio' | 'too_large' | 'too_long' | 'unsupported';
  readonly said: FieldSaid;
  readonly fault: FieldFault;

  constructor(reason: UnfitAudioError['reason'], ...fault: FieldFault) {
    const said = fieldError(...fault);
    super(said.message);
    this.reason = reason;
    this.said = said;
    this.fault = fault;
  }
}

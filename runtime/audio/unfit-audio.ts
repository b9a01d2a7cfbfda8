/**
 * The file is not an acceptable recording. The message continues "The file". `not_audio`: not a recording, or one of a
 * format that the service does not accept; `unsupported`: the assistant's provider or channels do not fit.
 */
export class UnfitAudioError extends Error {
  override name = 'UnfitAudioError';
  readonly reason: 'empty' | 'not_audio' | 'too_large' | 'too_long' | 'unsupported';

  constructor(reason: UnfitAudioError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

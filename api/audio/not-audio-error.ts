/** Says that no vendor needs to be asked: it is not a recording, or not one that the service takes. */
export class NotAudioError extends Error {
  override name = 'NotAudioError';
}

import { TextField } from '../components/field.tsx';
import { texts } from '../texts/index.ts';

const words = texts.uploads;

/** The fields of a recording's URL. @param isOptional if there is a URL to use otherwise. */
export const RecordingUrlFields = ({ isOptional = false }: { isOptional?: boolean }) => (
  <>
    <TextField
      name="audio_url"
      type="url"
      label={words.url}
      placeholder="https://"
      required={!isOptional}
      {...(isOptional && { isOptional, hint: texts.session.actions.sameUrl })}
    />
    <TextField name="audio_headers" label="Authorization" placeholder="Basic …" autoComplete="off" isOptional />
  </>
);

/** Returns the URL and its header as the API expects them. */
export const readRecordingUrl = ({ audio_url = '', audio_headers = '' }: Record<string, string>) => ({
  audio_url,
  ...(audio_headers !== '' && { audio_headers: { Authorization: audio_headers } }),
});

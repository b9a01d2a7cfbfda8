import { Model } from 'objection';
import type { FetchedAudio } from '../../contract/sessions/audio-source.ts';

/** The column `audio_source` of a session whose recording is fetched from a URL. Times are in ISO 8601. */
export interface AudioSource extends FetchedAudio {
  /** The client's name for the recording. */
  file_name: string;
  /** First failure of the current run; null: none. */
  failing_since: string | null;
}

/** Returns the column for a run without attempts. */
export const newAudioSource = (url: string, file_name: string): AudioSource => ({
  host: new URL(url).host,
  file_name,
  attempts: 0,
  bytes_received: 0,
  bytes_total: null,
  last_failure: null,
  status_code: null,
  failing_since: null,
  next_attempt_at: null,
});

/** One row of `audio_sources`. It exists until the recording has arrived. */
export class AudioSourceModel extends Model {
  static override tableName = 'audio_sources';
  /** The session's ID. */
  declare id: string;
  /** URL and headers as JSON, sealed and bound to the session. */
  declare sealed: string;

  /** Deletes the sources of sessions that have ended, except those that failed less than a day ago. Returns their number. */
  static async removeExpired(): Promise<number> {
    const { rowCount } = await AudioSourceModel.knex().raw<{ rowCount: number }>(
      `delete from audio_sources source using sessions
       where sessions.id = source.id and completed_at is not null
         and (status <> 'failed' or completed_at < now() - interval '1 day')`,
    );
    return rowCount;
  }
}

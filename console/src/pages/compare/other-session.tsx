import { useQuery } from '@tanstack/react-query';
import { listSessionsOptions } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { Form, FormButtons, TextField } from '../../components/field.tsx';
import { texts } from '../../texts/index.ts';
import styles from './compare.module.css';

const words = texts.compare;

interface OtherSessionProps {
  sessionId: string;
  /** The session that this one is a reanalysis of. */
  sourceId: string | null | undefined;
  otherId: string | undefined;
  onChoose: (sessionId: string) => void;
}

/** Which session to compare with: its source, its newest reanalyses, or any other by its id. */
export function OtherSession({ sessionId, sourceId, otherId, onChoose }: OtherSessionProps) {
  const { data } = useQuery(listSessionsOptions({ query: { limit: 200 } }));
  const origin = sourceId ?? sessionId;
  const siblings = (data?.data ?? []).filter(
    ({ session_id, source_session_id }) =>
      session_id !== sessionId && (session_id === origin || source_session_id === origin),
  );
  return (
    <div className={styles['choose']}>
      {siblings.length > 0 && (
        <Choice
          label={words.sibling}
          value={siblings.some(({ session_id }) => session_id === otherId) ? otherId : ''}
          options={[
            { value: '', label: words.sibling },
            ...siblings.map(({ session_id, summary_text, created_at }) => ({
              value: session_id,
              label: words.named(created_at.slice(0, 16).replace('T', ' '), summary_text?.slice(0, 60) ?? session_id),
            })),
          ]}
          onChange={(event) => event.target.value !== '' && onChoose(event.target.value)}
        />
      )}
      <Form error={null} onSubmit={({ other = '' }) => onChoose(other.trim())}>
        <div className={styles['byId']}>
          <TextField
            name="other"
            label={words.byId}
            defaultValue={otherId ?? ''}
            required
            pattern="\s*sess_[0-9a-z]{26}\s*"
          />
          <FormButtons>
            <Button type="submit">{words.compare}</Button>
          </FormButtons>
        </div>
      </Form>
    </div>
  );
}

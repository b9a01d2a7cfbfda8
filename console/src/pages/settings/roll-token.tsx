import { useMutation } from '@tanstack/react-query';
import { rollKeyMutation } from 'conversation-analysis-client/react-query';
import type { ListedApiKey } from 'conversation-analysis-client';
import { optionsOf } from '../../components/choice.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, FormButtons, SelectField } from '../../components/field.tsx';
import { texts } from '../../texts/index.ts';

const words = texts.tokens;

const OVERLAPS = ['0', '1', '24', '168'] as const;

interface RollTokenProps {
  token: ListedApiKey;
  onClose: () => void;
  onCreated: (created: { token: string }) => void;
}

/** Replaces a token. The old token keeps working during the overlap, which gives programs time to switch. */
export function RollToken({ token: { key_id, name }, onClose, onCreated }: RollTokenProps) {
  const roll = useMutation({ ...rollKeyMutation(), onSuccess: onCreated });
  return (
    <Dialog onClose={onClose} title={words.rollTitle(name)}>
      <Form
        error={roll.error}
        onSubmit={({ overlap_hours }) =>
          roll.mutate({ path: { key_id }, body: { overlap_hours: Number(overlap_hours) } })
        }
      >
        <p>{words.rollDetail}</p>
        <SelectField
          name="overlap_hours"
          label={words.overlap}
          defaultValue="24"
          options={optionsOf(OVERLAPS, words.overlaps)}
        />
        <FormButtons submit={words.roll} isDisabled={roll.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** Creates an API token with an expiry and scopes. */
import { LIMITS } from '../../../../contract/values/limits.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { createKeyMutation } from 'conversation-analysis-client/react-query';
import type { ApiKeyInput, ListedApiKey } from 'conversation-analysis-client';
import { TOKEN_SCOPES } from '../../../../contract/values/scopes.ts';
import { optionsOf } from '../../components/choice.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { CheckField, Form, FormButtons, SelectField, TextField } from '../../components/field.tsx';
import { useMay } from '../../server/membership.ts';
import { texts } from '../../texts/index.ts';
import styles from './settings.module.css';

const words = texts.tokens;

const EXPIRIES = ['', '30', '90', '365', 'custom'] as const;
const ACCESSES = ['full', 'read', 'custom'] as const;
type AccessName = (typeof ACCESSES)[number];

/** All scopes that a token can have, with the client's type. */
const SCOPES = TOKEN_SCOPES as NonNullable<ApiKeyInput['scopes']>;
const isRead = (scope: string) => scope.endsWith(':read') || scope === 'sessions:export';

/** Prefix of the names of the scope checkboxes. */
const SCOPE = 'scope ';

interface CreateTokenProps {
  onClose: () => void;
  onCreated: (created: { token: string }) => void;
}

export function CreateToken({ onClose, onCreated }: CreateTokenProps) {
  const [access, setAccess] = useState<AccessName>('full');
  const [expiry, setExpiry] = useState('90');
  const scopes = SCOPES.filter(useMay());
  const create = useMutation({ ...createKeyMutation(), onSuccess: onCreated });
  return (
    <Dialog onClose={onClose} title={words.create}>
      <Form error={create.error} onSubmit={(values) => create.mutate({ body: toInput(values, scopes) })}>
        <TextField
          name="name"
          label={texts.settingTitles.name}
          hint={words.nameHint}
          required
          maxLength={LIMITS.name}
          autoFocus
        />
        <SelectField
          name="expiry"
          label={words.expires}
          value={expiry}
          options={optionsOf(EXPIRIES, words.expiries)}
          onChange={({ target }) => setExpiry(target.value)}
        />
        {expiry === 'custom' && (
          <TextField name="expires_in_days" label={words.days} type="number" {...LIMITS.tokenDays} step={1} required />
        )}
        <SelectField
          name="scopes"
          label={words.access}
          hint={words.accessHints[access]}
          value={access}
          options={optionsOf(ACCESSES, words.accesses)}
          onChange={({ target }) => setAccess(target.value as AccessName)}
        />
        {access === 'custom' && (
          <fieldset className={styles['scopes']}>
            <legend className="visually-hidden">{words.scopes}</legend>
            {scopes.map((scope) => (
              <CheckField key={scope} name={SCOPE + scope} label={scope} hint={words.meanings[scope]} />
            ))}
          </fieldset>
        )}
        <FormButtons submit={words.create} isDisabled={create.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** Returns the API input for the values of the form. @param allowed scopes of the user's role. */
function toInput(
  { name = '', expiry = '', expires_in_days = expiry, scopes, ...values }: Record<string, string>,
  allowed: typeof SCOPES,
) {
  const selected = allowed.filter((scope) => SCOPE + scope in values);
  const input: ApiKeyInput = { name };
  if (expires_in_days !== '') input.expires_in_days = Number(expires_in_days);
  if (scopes !== 'full') input.scopes = scopes === 'read' ? allowed.filter(isRead) : selected;
  return input;
}

/** Summarizes the scopes of a token. The `title` attribute lists all of them. */
export function Access({ scopes }: Pick<ListedApiKey, 'scopes'>) {
  if (scopes === null) return words.accesses.full;
  const isReading = scopes.length > 1 && scopes.every(isRead);
  return (
    <span className="nowrap" title={scopes.join(', ')}>
      {isReading ? words.accesses.read : scopes.length === 1 ? scopes[0] : words.scopeCount(scopes.length)}
    </span>
  );
}

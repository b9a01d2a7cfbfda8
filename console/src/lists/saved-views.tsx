/** The user's saved views: named URLs of lists with their filters, order and columns. */
import { LIMITS } from '../../../contract/values/limits.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { Choice } from '../components/choice.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Form, FormButtons, TextField } from '../components/field.tsx';
import { parseQuery } from '../search/parse.ts';
import { loginOptions } from '../server/login.ts';
import { texts } from '../texts/index.ts';
import { useUpdateUser } from '../components/updates.ts';

const words = texts.lists;

/** Opens, saves and deletes views. @param path path and query string of the shown list. */
export function SavedViews({ path }: { path: string }) {
  const [isSaving, setSaving] = useState(false);
  const navigate = useNavigate();
  const { data: user } = useQuery(loginOptions);
  const update = useUpdateUser(() => setSaving(false));
  const views = user?.views ?? {};
  const current = Object.keys(views).find((name) => views[name] === path);
  const open = (name: string) => {
    const [to = '', query = ''] = (views[name] ?? path).split('?');
    void navigate({ to, search: parseQuery(query) });
  };
  return (
    <>
      {Object.keys(views).length > 0 && (
        <Choice
          label={words.views}
          value={current ?? ''}
          options={[
            { value: '', label: words.views },
            ...Object.keys(views)
              .sort()
              .map((name) => ({ value: name, label: name })),
          ]}
          onChoose={(name) => name !== '' && open(name)}
        />
      )}
      {current !== undefined ? (
        <ConfirmButton
          size="small"
          isDanger
          title={texts.labels.deleteTitle(current)}
          detail={words.deleteViewDetail}
          action={words.deleteView}
          run={() => update.mutateAsync({ body: { views: { [current]: null } } })}
        />
      ) : (
        path.includes('?') && (
          <Button size="small" onClick={() => setSaving(true)}>
            {words.saveView}
          </Button>
        )
      )}
      <Dialog isOpen={isSaving} onClose={() => setSaving(false)} title={words.saveView}>
        <Form
          error={update.error}
          onSubmit={({ name = '' }) => update.mutate({ body: { views: { [name.trim()]: path } } })}
        >
          <p className="note">{words.saveViewDetail}</p>
          <TextField name="name" label={texts.labels.name} required maxLength={LIMITS.viewName} autoFocus />
          <FormButtons submit={words.saveView} isDisabled={update.isPending} onCancel={() => setSaving(false)} />
        </Form>
      </Dialog>
    </>
  );
}

import type { ComponentProps } from 'react';
import { texts } from '../texts/index.ts';
import { TextField } from './field.tsx';

/** A code of the second factor. */
export const CodeField = (props: Partial<ComponentProps<typeof TextField>>) => (
  <TextField
    name="code"
    label={texts.login.code}
    hint={texts.login.codeHint}
    autoComplete="one-time-code"
    minLength={6}
    maxLength={40}
    required
    {...props}
  />
);

import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import type { Scope } from '../../../contract/scopes.ts';
import { May } from './may.tsx';
import styles from './button.module.css';

interface Look {
  look?: 'plain' | 'primary' | 'danger' | 'quiet';
  size?: 'normal' | 'small';
  /** Holds an icon only: give it a `label`. */
  isIcon?: boolean;
}

interface Action extends Look {
  label?: string;
  /** What the button needs. Roles without the scope do not see it. */
  scope?: Scope | undefined;
}

const classOf = ({ look = 'plain', size = 'normal', isIcon = false }: Look) =>
  [styles['button'], styles[look], styles[size], isIcon && styles['icon']].filter(Boolean).join(' ');

export function Button({ look, size, isIcon, label, scope, ...rest }: Action & ComponentProps<'button'>) {
  const button = (
    <button type="button" aria-label={label} title={label} {...rest} className={classOf({ look, size, isIcon })} />
  );
  return scope ? <May scope={scope}>{button}</May> : button;
}

/** A link that leaves the console, or downloads. */
export function ButtonAnchor({ look, size, isIcon, label, scope, ...rest }: Action & ComponentProps<'a'>) {
  const anchor = <a aria-label={label} title={label} {...rest} className={classOf({ look, size, isIcon })} />;
  return scope ? <May scope={scope}>{anchor}</May> : anchor;
}

/** A link to another page of the console that looks like a button. */
export const ButtonLink = createLink(ButtonAnchor);

import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import type { Scope } from '../../../contract/values/scopes.ts';
import { May } from './may.tsx';
import styles from './button.module.css';

interface Look {
  look?: 'plain' | 'primary' | 'danger' | 'quiet';
  size?: 'normal' | 'small';
  /** The button shows only an icon and needs a `label`. */
  isIcon?: boolean;
}

interface Action extends Look {
  label?: string;
  /** The scope that the action requires. Users whose role lacks it do not see the button. */
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

/** A link to a download or to a page outside the console. */
export function ButtonAnchor({ look, size, isIcon, label, scope, ...rest }: Action & ComponentProps<'a'>) {
  const anchor = <a aria-label={label} title={label} {...rest} className={classOf({ look, size, isIcon })} />;
  return scope ? <May scope={scope}>{anchor}</May> : anchor;
}

/** A link to another page of the console that looks like a button. */
export const ButtonLink = createLink(ButtonAnchor);

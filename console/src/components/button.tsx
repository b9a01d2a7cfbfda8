import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import styles from './button.module.css';

interface Look {
  look?: 'plain' | 'primary' | 'danger' | 'quiet';
  size?: 'normal' | 'small';
  /** Holds an icon only: give it a `label`. */
  isIcon?: boolean;
}

const classOf = ({ look = 'plain', size = 'normal', isIcon = false }: Look) =>
  [styles['button'], styles[look], styles[size], isIcon && styles['icon']].filter(Boolean).join(' ');

export function Button({ look, size, isIcon, label, ...rest }: Look & { label?: string } & ComponentProps<'button'>) {
  return (
    <button type="button" aria-label={label} title={label} {...rest} className={classOf({ look, size, isIcon })} />
  );
}

/** A link that leaves the console, or downloads. */
export function ButtonAnchor({ look, size, isIcon, label, ...rest }: Look & { label?: string } & ComponentProps<'a'>) {
  return <a aria-label={label} title={label} {...rest} className={classOf({ look, size, isIcon })} />;
}

/** A link to another page of the console that looks like a button. */
export const ButtonLink = createLink(ButtonAnchor);

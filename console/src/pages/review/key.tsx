import { usePreferences } from '../../format/preferences.ts';

/** The key of a button, unless shortcuts are off. */
export function Key({ name }: { name: string }) {
  const { shortcuts } = usePreferences();
  return shortcuts && name !== '' && <kbd aria-hidden>{name}</kbd>;
}

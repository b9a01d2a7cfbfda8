/** Reads the values of a form, and tracks whether they are saved. */

const saved = new WeakMap<HTMLFormElement, string>();

/** Returns the values of the form's inputs by name. */
export const readForm = (form: HTMLFormElement) => Object.fromEntries(new FormData(form)) as Record<string, string>;

const print = (form: HTMLFormElement) => JSON.stringify(readForm(form));

/** Records the current values as saved, unless values are already recorded. */
export function markOpened(form: HTMLFormElement): void {
  if (!saved.has(form)) saved.set(form, print(form));
}

/** Records that no values are saved. */
export const markEdited = (form: HTMLFormElement) => saved.set(form, '');

/** Records the current values as saved. Returns a function that undoes this. */
export function markSaved(form: HTMLFormElement): () => void {
  const before = saved.get(form) ?? '';
  saved.set(form, print(form));
  return () => saved.set(form, before);
}

/** Records that a save cleared the secrets. Other values that were typed meanwhile stay unsaved. */
export function markCleared(form: HTMLFormElement): void {
  const values = JSON.parse(saved.get(form) ?? '{}') as Record<string, string>;
  for (const { name, value } of form.querySelectorAll<HTMLInputElement>('input[type="password"]')) {
    if (name in values) values[name] = value;
  }
  saved.set(form, JSON.stringify(values));
}

/** Returns whether the form differs from its saved values. False if the user has not touched the form. */
export const isUnsaved = (form: HTMLFormElement): boolean => saved.has(form) && saved.get(form) !== print(form);

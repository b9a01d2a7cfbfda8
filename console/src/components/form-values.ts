/** The values of a form, and whether they are saved. */

const saved = new WeakMap<HTMLFormElement, string>();

/** Returns the texts of the form's fields by name. */
export const readForm = (form: HTMLFormElement) => Object.fromEntries(new FormData(form)) as Record<string, string>;

const print = (form: HTMLFormElement) => JSON.stringify(readForm(form));

/** Records the current values as saved, unless an earlier state is recorded. */
export function noteOpened(form: HTMLFormElement): void {
  if (!saved.has(form)) saved.set(form, print(form));
}

/** Records the current values as saved. Returns a function that undoes this. */
export function noteSaved(form: HTMLFormElement): () => void {
  const before = saved.get(form) ?? '';
  saved.set(form, print(form));
  return () => saved.set(form, before);
}

/** Returns whether the form differs from its saved state. An unused form does not. */
export const isUnsaved = (form: HTMLFormElement): boolean => saved.has(form) && saved.get(form) !== print(form);

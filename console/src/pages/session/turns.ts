/** The turns of a conversation as they stand in the document. */

/** Returns the text of a turn. */
export function textOf(list: HTMLElement, turn: number): Text | undefined {
  const node = list.children[turn]?.lastElementChild?.firstChild;
  return node instanceof Text ? node : undefined;
}

/** Marks one turn and brings it into view; marks none where there is no such turn. */
export function show(list: HTMLElement, index: number | undefined): void {
  for (const marked of list.querySelectorAll('[data-found]')) marked.removeAttribute('data-found');
  if (index === undefined) return;
  const turn = list.children[index];
  turn?.setAttribute('data-found', '');
  turn?.scrollIntoView({ block: 'center' });
}

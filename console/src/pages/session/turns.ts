/** The turns of a conversation as they stand in the document. */

/** So many turns are one group: the browser leaves out what is not in view by the group, which it does sooner for 100 of them than for 5,000 turns. */
const GROUP = 50;

/** Returns the turns in their groups, in order. */
export const groupTurns = <T>(turns: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(turns.length / GROUP) }, (_, group) =>
    turns.slice(group * GROUP, (group + 1) * GROUP),
  );

/** Returns the number of the turn, from 0. */
export const turnIndex = (group: number, at: number) => group * GROUP + at;

/** Returns the element of a turn; undefined where there is no such turn. */
export const turnAt = (list: HTMLElement, turn: number): Element | undefined =>
  list.children[Math.floor(turn / GROUP)]?.children[turn % GROUP];

/** Returns the text of a turn. */
export function textOf(list: HTMLElement, turn: number): Text | undefined {
  const node = turnAt(list, turn)?.lastElementChild?.firstChild;
  return node instanceof Text ? node : undefined;
}

/** Marks one turn and brings it into view; marks none where there is no such turn. */
export function show(list: HTMLElement, index: number | undefined): void {
  for (const marked of list.querySelectorAll('[data-found]')) marked.removeAttribute('data-found');
  if (index === undefined) return;
  const turn = turnAt(list, index);
  turn?.setAttribute('data-found', '');
  turn?.scrollIntoView({ block: 'center' });
}

export const palette = {
  open: (id: string) => `Open ${id}`,
  search: (text: string) => `Search conversations for “${text}”`,
  page: 'Pages',
  view: 'Saved view',
};

export const shortcuts = {
  title: 'Keyboard shortcuts',
  off: 'Single-key shortcuts are off in this browser.',
  note: 'Turn single-key shortcuts off under Settings, Account. They never act while you type.',
  keys: [
    { keys: ['⌘ K', 'Ctrl K'], what: 'Search, or open a pasted ID' },
    { keys: ['?'], what: 'Show these shortcuts' },
    { keys: ['/'], what: 'Search on this page' },
    { keys: ['w'], what: 'Switch workspace' },
    { keys: ['j', 'k'], what: 'Next and previous row or session' },
    { keys: ['Enter'], what: 'Open the row' },
    { keys: ['Esc'], what: 'Go back' },
    { keys: ['Space'], what: 'Play or pause the recording' },
    { keys: ['←', '→'], what: 'Back and forward 5 seconds' },
    { keys: ['[', ']'], what: 'Slower and faster' },
    { keys: ['r'], what: 'Retry a failed session, or redeliver' },
  ],
};

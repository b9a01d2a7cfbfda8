export const uploads = {
  title: 'Uploads',
  drop: 'Drop recordings or a folder here',
  chooseFile: 'Choose file',
  chooseFiles: 'Choose files',
  chooseFolder: 'Choose folder',
  url: 'Recording URL',
  submitUrl: 'Submit URL',
  skipped: (count: number) =>
    count === 1 ? 'Skipped 1 file that isn’t audio.' : `Skipped ${count} files that aren’t audio.`,
  summary: (accepted: number, total: number, failed: number) =>
    `${accepted} of ${total} accepted${failed === 0 ? '' : `, ${failed} failed`}`,
  retryFailed: (count: number) => `Retry ${count} failed`,
  clear: 'Clear list',
  all: 'All recordings',
  progressOf: (name: string) => `Upload of ${name}`,
  states: { waiting: 'Waiting', sending: 'Uploading', accepted: 'Accepted', failed: 'Failed' },
  replayed: 'already submitted',
  unreadable: 'The file can’t be read. It was moved or changed.',
  empty: (name: string) => `The file “${name}” is empty. Choose another file.`,
};

/** The files in what was dropped, folders within folders included. */

const AUDIO_NAME = /\.(wav|mp3|m4a|mp4|aac|flac|ogg|oga|opus|webm)$/i;

/**
 * Returns whether a file's name is that of a recording. The service judges by the bytes; this keeps out what was never
 * meant, such as a folder's notes.
 */
export const isRecording = (file: File) =>
  AUDIO_NAME.test(file.name) || file.type.startsWith('audio/') || file.type.startsWith('video/');

export async function readDropped(items: DataTransferItemList): Promise<File[]> {
  // The list is emptied once this task ends: the entries are taken first.
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  return (await Promise.all(entries.map(readEntry))).flat();
}

async function readEntry(entry: FileSystemEntry): Promise<File[]> {
  // The standard's names of the two classes are types only: Chromium has others.
  if (entry.isFile) {
    return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: File[] = [];
  // A reader gives a hundred entries at a time, and none at the end.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return files;
    files.push(...(await Promise.all(batch.map(readEntry))).flat());
  }
}

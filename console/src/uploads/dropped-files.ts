/** Reads dropped files, including those in folders. */

const AUDIO_NAME =
  /\.(wav|wave|w64|rf64|bwf|mp3|mp2|mpga|mpeg|m4a|m4b|mp4|mov|aac|flac|ogg|oga|ogx|opus|spx|webm|weba|mka|mkv|3gp|3g2)$/i;

/** Returns whether the file may be a recording, to skip other files in a folder. The API checks the content. */
export const isRecording = (file: File) =>
  !file.name.includes('.') ||
  AUDIO_NAME.test(file.name) ||
  file.type.startsWith('audio/') ||
  file.type.startsWith('video/');

export async function readDropped(items: DataTransferItemList): Promise<File[]> {
  // The browser empties the list after this task, so all entries are read before anything is awaited.
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  return (await Promise.all(entries.map(readEntry))).flat();
}

// Casts instead of `instanceof`, because the classes have other names in Chromium.
async function readEntry(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) {
    return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: File[] = [];
  // A reader returns up to 100 entries per call, and an empty list at the end.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return files;
    files.push(...(await Promise.all(batch.map(readEntry))).flat());
  }
}

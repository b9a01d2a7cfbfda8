/** What the system and Node allow this process. */
import { getHeapStatistics } from 'node:v8';

export const MAX_HEAP_BYTES = getHeapStatistics().heap_size_limit;

/** Assumed if the system reports no limit. */
const UNLIMITED_FILES = 65_536;

/** How many files and connections this process may have open. Read once, because a report takes milliseconds. */
export const OPEN_FILES_LIMIT = readOpenFilesLimit();

function readOpenFilesLimit(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files: { soft: number | string } } };
  const limit = Number(userLimits?.open_files.soft);
  return Number.isNaN(limit) ? UNLIMITED_FILES : limit;
}

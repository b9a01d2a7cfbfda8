/** Reads a file in windows of 256 KiB for parsers that read a few bytes at a time. */
import type { FileHandle } from 'node:fs/promises';
import { AbstractTokenizer, EndOfStreamError, type IReadChunkOptions } from 'strtok3';

const WINDOW_BYTES = 256 * 1024;

/** Largest read of a parser. Larger ones come from damaged files and would be held in memory. */
const MAX_PIECE_BYTES = 16 * 1024 * 1024;

/** Bytes that a parser may hold outside the heap, whose limit does not count them. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

export class WindowedTokenizer extends AbstractTokenizer {
  readonly fileInfo: { size: number; mimeType?: string };
  readonly #file: FileHandle;
  readonly #deadline: AbortSignal;
  readonly #window = Buffer.allocUnsafeSlow(WINDOW_BYTES);
  #start = 0;
  #filled = 0;

  /** Whether reading took too much time or memory, so that every further read fails. */
  isStopped = false;

  /** @param deadline ends reading. */
  constructor(file: FileHandle, size: number, deadline: AbortSignal) {
    super({ maxBufferSize: MAX_PIECE_BYTES });
    this.#file = file;
    this.#deadline = deadline;
    this.fileInfo = { size };
  }

  supportsRandomAccess(): boolean {
    return true;
  }

  setPosition(position: number): void {
    this.position = position;
  }

  async readBuffer(target: Uint8Array, options?: IReadChunkOptions): Promise<number> {
    const read = await this.peekBuffer(target, options);
    this.position = (options?.position ?? this.position) + read;
    return read;
  }

  async peekBuffer(target: Uint8Array, options?: IReadChunkOptions): Promise<number> {
    const { length, position, mayBeLess } = this.normalizeOptions(target, options);
    let done = 0;
    while (done < length) {
      const at = position + done;
      if (at < this.#start || at >= this.#start + this.#filled) await this.#moveWindow(at);
      if (this.#filled === 0) break;
      const from = at - this.#start;
      done += this.#window.copy(target, done, from, Math.min(this.#filled, from + length - done));
    }
    if (done < length && !mayBeLess) throw new EndOfStreamError();
    return done;
  }

  async #moveWindow(start: number): Promise<void> {
    this.isStopped ||= this.#deadline.aborted || process.memoryUsage().arrayBuffers > MAX_HELD_BYTES;
    if (this.isStopped) throw new Error('stopped reading');
    this.#start = start;
    this.#filled = (await this.#file.read(this.#window, 0, WINDOW_BYTES, start)).bytesRead;
  }
}

import { open } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { UsageError, UserError, whyUnreadable } from 'customer-data-api-deployment/program';

const POLL_MS = 100;
const CHUNK_BYTES = 64 * 1024;

/**
 * Reads the lines of a file that another process appends to, and waits for more until the signal
 * aborts. With an aborted signal, it reads the existing lines. A file that got shorter was started
 * anew, and is read from its beginning.
 *
 * @throws UserError if there is no such file.
 * @throws UsageError if it cannot be read.
 */
export async function* followLines(file: string, signal: AbortSignal): AsyncGenerator<string> {
  let position = 0;
  let rest = Buffer.alloc(0);
  for (;;) {
    const chunk = await readFrom(file, position);
    if (chunk === undefined) {
      position = 0;
      rest = Buffer.alloc(0);
      continue;
    }
    position += chunk.length;
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf('\n') + 1;
    rest = bytes.subarray(end);
    const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
    yield* lines;
    if (chunk.length > 0) continue;
    if (signal.aborted) return;
    await setTimeout(POLL_MS, undefined, { signal }).catch(() => {});
  }
}

/** Reads the next bytes, none at the end of the file; undefined if the file got shorter. */
async function readFrom(file: string, position: number): Promise<Buffer | undefined> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') {
      throw new UserError(`There is no ${file}. Start the local server with npm start.`);
    }
    const why = whyUnreadable(file, error);
    throw new UsageError(`The events of the local server cannot be read: ${why}`, 'unreadableFile');
  });
  try {
    if ((await handle.stat()).size < position) return undefined;
    const { bytesRead, buffer } = await handle.read(
      Buffer.alloc(CHUNK_BYTES),
      0,
      CHUNK_BYTES,
      position,
    );
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

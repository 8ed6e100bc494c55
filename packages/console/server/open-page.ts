import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import open from 'open';

/** A folder below the project, because browsers from Snap cannot read other places. */
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));

/**
 * Opens the page in the operator's browser, or does nothing if there is none. Everybody on a
 * machine can read the arguments of its processes, except on Windows. So the browser gets the name
 * of a file that only the operator can read, and that posts the secret: the browser would keep an
 * address with it in its history.
 *
 * @returns what removes the file.
 */
export async function openPage(url: string): Promise<AsyncDisposable> {
  await using files = new AsyncDisposableStack();
  try {
    let target = url;
    if (process.platform !== 'win32') {
      await mkdir(CACHE, { recursive: true });
      const folder = await mkdtemp(join(CACHE, 'console-'));
      files.defer(() => rm(folder, { recursive: true, force: true }));
      target = join(folder, 'open.html');
      const { origin, hash } = new URL(url);
      const input = `<input type="hidden" name="secret" value="${hash.slice(1)}">`;
      const form = `<form method="post" action="${origin}">${input}</form>`;
      const html = `<!doctype html>${form}<script>document.forms[0].submit()</script>\n`;
      await writeFile(target, html, { mode: 0o600 });
    }
    await open(target);
  } catch {
    // The operator uses the printed address.
  }
  return files.move();
}

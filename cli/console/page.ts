import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { failed } from './responses.ts';

/** A file of the page. */
interface PageFile {
  readonly type: string;
  readonly content: string;
}

/** The files of the page by path. */
export type Page = ReadonlyMap<string, PageFile>;

const FOLDER = fileURLToPath(new URL('../../console/', import.meta.url));

const SDK = fileURLToPath(new URL('../../sdk/src/index.ts', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Bundles the page in memory: `main.js` and `main.css`, which `index.html` loads. */
export async function buildPage(): Promise<Page> {
  const { outputFiles } = await build({
    entryPoints: [`${FOLDER}src/main.tsx`],
    outdir: FOLDER,
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // The form of the web example imports the app SDK as apps do, from its package.
    alias: { 'customer-data-api-sdk': SDK },
    logLevel: 'warning',
  });
  const html = await readFile(`${FOLDER}index.html`, 'utf8');
  return new Map([
    ['/', { type: 'text/html; charset=utf-8', content: html }],
    ...outputFiles.map(({ path, text }): [string, PageFile] => {
      const name = path.slice(FOLDER.length);
      const type = TYPES[name.slice(name.lastIndexOf('.'))] ?? 'application/octet-stream';
      return [`/${name}`, { type, content: text }];
    }),
  ]);
}

/** Responds with a file of the page. */
export function pageResponse(page: Page, { method, url }: Request): Response {
  if (method !== 'GET' && method !== 'HEAD') return failed(405, 'wrongMethod', 'Send GET.');
  const file = page.get(new URL(url).pathname);
  if (!file) return failed(404, 'noSuchPath', 'The console has no such path.');
  const body = method === 'HEAD' ? null : file.content;
  return new Response(body, { headers: { 'Content-Type': file.type } });
}

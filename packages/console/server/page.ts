import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { failed } from './failures.ts';

/** The files of the page by path. */
export type Page = ReadonlyMap<string, { readonly type: string; readonly content: string }>;

const FOLDER = fileURLToPath(new URL('../page/', import.meta.url));

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
    logLevel: 'warning',
  });
  const files = outputFiles.map(({ path, text }) => {
    const type = path.endsWith('.js') ? 'text/javascript' : 'text/css';
    return [`/${path.slice(FOLDER.length)}`, { type, content: text }] as const;
  });
  const html = await readFile(`${FOLDER}index.html`, 'utf8');
  return new Map([['/', { type: 'text/html', content: html }], ...files]);
}

/**
 * A service worker that removes itself, and loads the pages again that it controls. The browser
 * asks for it where another program that had this port before left a worker, which would still
 * answer.
 */
const NO_WORKER = `
addEventListener('install', () => skipWaiting());
addEventListener('activate', async () => {
  await registration.unregister();
  for (const client of await clients.matchAll()) client.navigate(client.url);
});
`;

/** Responds with the page to the file that opens it, whose form has posted the secret. */
export function openedPage(page: Page, secret: string): Response {
  const { type, content = '' } = page.get('/') ?? {};
  const html = content.replace('</head>', `<meta name="secret" content="${secret}" /></head>`);
  return new Response(html, { headers: { 'Content-Type': `${type}; charset=utf-8` } });
}

/** Responds with a file of the page. */
export function pageResponse(page: Page, { method, url, headers }: Request): Response {
  if (headers.get('Service-Worker') === 'script') {
    return new Response(NO_WORKER, { headers: { 'Content-Type': 'text/javascript' } });
  }
  const file = ['GET', 'HEAD'].includes(method) && page.get(new URL(url).pathname);
  if (!file) return failed(404, 'noSuchPath', 'The console has no such path.');
  const body = method === 'HEAD' ? null : file.content;
  return new Response(body, {
    headers: { 'Content-Type': `${file.type}; charset=utf-8` },
  });
}

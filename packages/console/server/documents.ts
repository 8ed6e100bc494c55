import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import GithubSlugger from 'github-slugger';
import { Marked, Renderer } from 'marked';

const FOLDER = new URL('../../../docs/', import.meta.url);

/** A document or one of its pictures. Without a dot before the last one, it is below the folder. */
const PATH = /^\/docs\/((?:[\w-]+\/)*[\w-]+)\.(md|png|svg)$/;

const TYPES = { md: 'text/html', png: 'image/png', svg: 'image/svg+xml' } as const;

/** Responds with a document of this project as a page, or with one of its pictures. */
export async function documentResponse({ url }: Request): Promise<Response | undefined> {
  const { pathname } = new URL(url);
  const [, name, ending] = PATH.exec(pathname) ?? [];
  if (name === undefined) return undefined;
  const file = fileURLToPath(new URL(`${name}.${ending}`, FOLDER));
  const content = await readFile(file).catch(() => undefined);
  if (!content) return undefined;
  const type = TYPES[ending as keyof typeof TYPES];
  const body = ending === 'md' ? pageOf(String(content), url) : new Uint8Array(content);
  return new Response(body, { headers: { 'Content-Type': `${type}; charset=utf-8` } });
}

/** Writes a document as HTML. A link to a file that the console does not serve becomes text. */
function pageOf(markdown: string, url: string): string {
  const slugger = new GithubSlugger();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const content = this.parser.parseInline(tokens);
        return `<h${depth} id="${slugger.slug(text)}">${content}</h${depth}>\n`;
      },
      // The keyboard scrolls it in a narrow window.
      code(token) {
        return new Renderer().code(token).replace('<pre>', '<pre tabindex="0">');
      },
      link({ href, tokens }) {
        const { origin, pathname } = new URL(href, url);
        const isServed = origin !== new URL(url).origin || PATH.test(pathname);
        return isServed ? false : this.parser.parseInline(tokens);
      },
    },
  });
  const [, title = ''] = /^# (.*)$/m.exec(markdown) ?? [];
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<title>${title} · customer-data-api</title>`,
    `<link rel="stylesheet" href="/main.css"><main>${marked.parse(markdown)}</main>`,
  ].join('\n');
}

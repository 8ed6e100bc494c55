import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { lexer, type Token, type Tokens, walkTokens } from 'marked';

export const PROJECT = new URL('../../../', import.meta.url);

/** A fenced block of a document. */
export interface Block {
  /** The first word after the fence, such as `sh`. */
  readonly language: string;
  /** The second word: `parsed`, `output` or nothing. docs/README.md explains it. */
  readonly treatment: string;
  readonly text: string;
}

/** A table, cell by cell, as Markdown. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A heading, and the fragment that leads to it. */
export interface Heading {
  readonly text: string;
  readonly anchor: string;
}

/** The parts of a document that the tests use. */
export interface Document {
  /** Its path from the root of the project. */
  readonly file: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly tables: readonly Table[];
  /** The texts between single backticks. */
  readonly codeSpans: readonly string[];
  /** The targets of links and images. */
  readonly links: readonly string[];
  readonly headings: readonly Heading[];
  /** The fragments that lead to its headings and to the rows of its tables. */
  readonly anchors: readonly string[];
}

/** Reads a Markdown document of the project. */
export async function readDocument(file: string): Promise<Document> {
  return parseDocument(file, await readFile(new URL(file, PROJECT), 'utf8'));
}

/** Parses a Markdown document, or a part of one. */
export function parseDocument(file: string, text: string): Document {
  const tokens = lexer(text);
  const all: Token[] = [];
  void walkTokens(tokens, (token) => {
    all.push(token);
  });
  const ofType = <TToken extends Token>(type: TToken['type']) =>
    all.filter((token): token is TToken => token.type === type);

  const headings = headingsOf(ofType<Tokens.Heading>('heading').map((heading) => heading.text));
  const rows = [...text.matchAll(/<a id="([\w-]+)">/g)].map(([, id = '']) => id);

  return {
    file,
    text,
    blocks: ofType<Tokens.Code>('code').map(({ lang, text: code }) => {
      const [language = '', treatment = ''] = (lang ?? '').split(' ');
      return { language, treatment, text: code };
    }),
    tables: ofType<Tokens.Table>('table').map(({ header, rows }) => ({
      header: header.map((cell) => cell.text),
      rows: rows.map((row) => row.map((cell) => cell.text)),
    })),
    codeSpans: ofType<Tokens.Codespan>('codespan').map((span) => span.text),
    links: [...ofType<Tokens.Link>('link'), ...ofType<Tokens.Image>('image')].map(
      ({ href }) => href,
    ),
    headings,
    anchors: [...headings.map(({ anchor }) => anchor), ...rows],
  };
}

/** Adds the fragments that GitHub makes: later headings with the same words are numbered. */
function headingsOf(texts: readonly string[]): Heading[] {
  const seen = new Map<string, number>();
  return texts.map((text) => {
    const words = text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '');
    const anchor = words.replaceAll(' ', '-');
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return { text, anchor: before === 0 ? anchor : `${anchor}-${before}` };
  });
}

const RECORD = 'CHANGELOG.md';

/** The documents that describe the current state. */
export async function guides(): Promise<Document[]> {
  return (await allDocuments()).filter(({ file }) => file !== RECORD);
}

/** All Markdown files of the project. The changelog describes past states. */
export async function allDocuments(): Promise<Document[]> {
  const exclude = ['**/node_modules/**', '.*/**', 'build/**', 'cdk.out/**'];
  const files = globSync('**/*.md', { cwd: fileURLToPath(PROJECT), exclude });
  return Promise.all(files.sort().map(readDocument));
}

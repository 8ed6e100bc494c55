import { callsOf } from '../support/documents/command-check.ts';
import { readDocument } from '../support/documents/document.ts';

const DOCUMENT = 'docs/api.md';

/** The languages for which app developers generate a client, by the name of the generator. */
export type Language = 'csharp' | 'dart-dio' | 'java' | 'kotlin' | 'swift6';

/** A command that generates a client. */
export interface Generation {
  readonly language: Language;
  /** The arguments of the generator. */
  readonly args: readonly string[];
  /** The folder of the client, from the root of the project. */
  readonly folder: string;
}

/** The commands that `docs/api.md` gives app developers who generate a client. */
export interface DocumentedCommands {
  /** Downloads the generator. */
  readonly download: string;
  /** The path of the generator. */
  readonly jar: string;
  readonly generations: readonly Generation[];
  /** The scripts that run an app of `examples/apps` against a local server. */
  readonly apps: readonly string[];
}

/** Reads the commands from the document, so that the tests run what it says. */
export async function documentedCommands(): Promise<DocumentedCommands> {
  const { blocks } = await readDocument(DOCUMENT);
  const scripts = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
  const lines = scripts.flatMap((text) => text.replaceAll('\\\n', ' ').split('\n'));
  const download = lines.find((line) => line.startsWith('mvn ') && line.includes(':copy '));
  const calls = await callsOf(lines.filter((line) => line.startsWith('java ')).join('\n'));
  const [, , jar = ''] = calls[0] ?? [];
  return {
    download: download ?? '',
    jar,
    generations: calls.map(([, , , ...args]) => generation(args)),
    apps: scripts.filter((text) => text.includes('examples/apps/')),
  };
}

function generation(args: readonly string[]): Generation {
  const option = (name: string) => args[args.indexOf(name) + 1] ?? '';
  return { language: option('-g') as Language, args, folder: option('-o') };
}

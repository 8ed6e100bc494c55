import type { Parts, Sentence } from 'customer-data-api/sentences';

/** The options of the running command that name its deployment, as words. */
let target: readonly string[] = [];

/** The options that a suggested command takes over, in this order. */
const TARGET_OPTIONS = ['local', 'outputs', 'stack', 'profile', 'region'] as const;

/** Remembers the options of the running command, the only one of its process. */
export function rememberTarget(options: Readonly<Record<string, unknown>>): void {
  target = TARGET_OPTIONS.flatMap((name) => {
    const value = options[name];
    if (value === undefined) return [];
    return value === true ? [`--${name}`] : [`--${name}`, String(value)];
  });
}

/**
 * Returns a command as it can be pasted into the current shell, with the options of the running
 * one.
 *
 * @param words the words after `./customer-data`.
 */
export function suggested(...words: readonly string[]): string {
  return shellCommand([...words, ...target]);
}

/** Returns a text with the suggested command in which it ends. */
export function suggesting(text: Sentence, ...words: readonly string[]): Parts {
  const parts = typeof text === 'string' ? [`${text} `] : [...text, ' '];
  return [...parts, { command: suggested(...words) }];
}

/** A shell in which a person runs commands, with what it needs to run one. */
interface Shell {
  /** The command line of the operators. */
  readonly program: string;
  /** Matches words that mean themselves. */
  readonly plain: RegExp;
  /** Quotes any other word. */
  readonly quoted: (word: string) => string;
}

const POSIX: Shell = {
  program: './customer-data',
  plain: /^[\w@%+=:,./-]+$/,
  quoted: (word) => `'${word.replaceAll("'", "'\\''")}'`,
};

const WINDOWS = {
  program: '.\\customer-data',
  // PowerShell reads @word, a,b and -a.b otherwise.
  plain: /^(?:--?[\w-]+|[\w./\\][\w+=:./\\@-]*)$/,
};

/**
 * The shell cmd.exe, which expands only %NAME% in quotes: each percent sign is outside of them.
 * Node reads `""` in quotes as one, and backslashes before quotes as half of them.
 */
const CMD: Shell = {
  ...WINDOWS,
  quoted: (word) =>
    `"${word
      .replaceAll(/(\\*)("|%|$)/g, '$1$1$2')
      .replaceAll('"', '""')
      .replaceAll('%', '"^%"')}"`,
};

/** PowerShell gives what is in its quotes to cmd.exe, which runs `customer-data.cmd`. */
const POWERSHELL: Shell = {
  ...WINDOWS,
  quoted: (word) => `'${CMD.quoted(word).replaceAll(/['‘’‚‛]/g, '$&$&')}'`,
};

/**
 * Finds out in which shell this program runs: `customer-data.cmd` says how its cmd.exe was started.
 * For PowerShell, that is to run this one command.
 */
function currentShell(): Shell {
  const { CUSTOMER_DATA_CMD: started } = process.env;
  if (started === undefined) return POSIX;
  return / \/c /i.test(started) ? POWERSHELL : CMD;
}

/** Names the command line as the current shell finds it. */
export const program = () => currentShell().program;

/** Writes a command, in words, so that it can be pasted into the current shell. */
export function shellCommand(words: readonly string[]): string {
  return `${program()} ${shellWords(words)}`;
}

/** Writes words of a command, so that they can be pasted into the current shell. */
export function shellWords(words: readonly string[]): string {
  const { plain, quoted } = currentShell();
  return words.map((word) => (plain.test(word) ? word : quoted(word))).join(' ');
}

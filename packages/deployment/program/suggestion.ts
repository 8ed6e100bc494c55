import { shellCommand } from './shell-command.ts';

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

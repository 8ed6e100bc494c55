import type { ChangeOptions } from '../commands/command-options.ts';
import { confirmChange, expectConfirmation } from '../commands/confirm.ts';
import { author, type Deployment, findDeploymentToChange } from '../deployment.ts';
import { interruption } from '../program/interruption.ts';
import { printOnce } from '../program/unwritable-output.ts';
import { configurationTables } from '../tables.ts';
import { wrapped } from '../terminal/layout.ts';
import { progressBar, whileWaiting } from '../terminal/progress.ts';
import { type Line, noteTo, printTo, type Terminal } from '../terminal/terminal.ts';
import type { Change, Context, Done, Shown } from './change.ts';

/** The context of a change that can take long, which tells it whether anybody needs a part. */
export interface CommandContext extends Context {
  readonly isDryRun: boolean;
  /** False with `--yes`: nobody reads what it would do. */
  readonly isAsked: boolean;
  /** Ends the work in progress. */
  readonly signal: AbortSignal;
  /** Receives how many things it has read or written so far. */
  readonly onCount: (count: number) => void;
  /** Receives why it waits, in a sentence. */
  readonly onWait: (why: string) => void;
}

/** The words of the command line for the values of a change. */
export interface Rendering<TShown, TDone> {
  /** Lines that say what it would do, or that there is nothing to do. */
  readonly shown: (shown: TShown, deployment: Deployment) => readonly Line[];
  /** Lines of a dry run about what it would do. */
  readonly would: (shown: TShown, deployment: Deployment) => readonly Line[];
  /** The question; without one, the command asks nothing, because it takes nothing away. */
  readonly question?: (shown: TShown) => string | undefined;
  /** Lines that say what it did. */
  readonly done: (done: TDone, deployment: Deployment, shown: TShown) => readonly Line[];
  /** The lines of the result, which may be the only copy of something. */
  readonly result?: (done: TDone) => readonly Line[];
  /** The next steps. They are not shown after a failure. */
  readonly next?: (done: TDone, shown: TShown) => readonly Line[];
  /** The next steps if the result could not be printed. */
  readonly lost?: (done: TDone) => readonly Line[];
  /** The result as JSON. Nothing is done in a dry run, or without an effect. */
  readonly json: (shown: TShown, done: TDone | undefined) => object;
  /** The things that it counts while it works. */
  readonly counted?: string;
  /** Labels of the progress until the change is shown, and until it is made. */
  readonly awaited?: { readonly show?: string; readonly apply?: string };
}

/**
 * Runs a command that changes a deployment: finds it, shows what the change would do, asks, makes
 * the change, and shows what it did.
 *
 * @throws UserError if it is not confirmed, or was done only in part.
 */
export async function runChange<TShown extends Shown, TDone extends Done>(
  terminal: Terminal,
  { yes = false, dryRun = false, json, ...options }: ChangeOptions,
  change: Change<TShown, TDone, CommandContext>,
  words: Rendering<TShown, TDone>,
): Promise<void> {
  if (words.question) expectConfirmation(terminal, { yes, dryRun });
  const note = wrapped(noteTo(terminal), terminal.stderr);
  const print = printTo(terminal);
  const deployment = await findDeploymentToChange(options);
  using interrupted = interruption();
  const { signal } = interrupted;
  using tables = configurationTables(deployment.outputs);

  const counting = async <T>(work: (context: CommandContext) => Promise<T>): Promise<T> => {
    using bar = progressBar(terminal, words.counted ?? '', words.counted !== undefined);
    const onWait = (why: string) => {
      bar[Symbol.dispose]();
      note(why);
    };
    const asked = { isDryRun: dryRun, isAsked: !yes };
    return await work({ deployment, tables, signal, onCount: bar.show, onWait, ...asked });
  };

  const { awaited = {} } = words;
  const working = <T>(label: string | undefined, work: (context: CommandContext) => Promise<T>) =>
    label === undefined ? counting(work) : whileWaiting(terminal, label, () => counting(work));

  const shown = await working(awaited.show, (context) => change.show(context));
  const isMade = !dryRun && shown.hasEffect !== false;
  // What a dry run shows is its result, in one form.
  const show = dryRun ? (json ? () => {} : wrapped(print, terminal.stdout)) : note;
  words.shown(shown, deployment).forEach(show);
  if (!isMade) {
    if (shown.hasEffect !== false) words.would(shown, deployment).forEach(show);
    if (json) print(JSON.stringify(words.json(shown, undefined)));
  }
  if (shown.failure) throw shown.failure;
  signal.throwIfAborted();
  if (!isMade) return;
  const question = words.question?.(shown);
  if (question !== undefined) {
    const asked = { question, typed: shown.typed, signal };
    await confirmChange(terminal, { deployment, ...asked, isAnswered: yes });
  }
  const by = change.isUnsigned ? '' : await author(deployment);
  const done = await working(awaited.apply, (context) => change.apply(context, shown, by));
  words.done(done, deployment, shown).forEach(note);
  const lines = json ? [JSON.stringify(words.json(shown, done))] : (words.result?.(done) ?? []);
  for (const line of lines) {
    if (!(await printOnce(terminal, line))) words.lost?.(done).forEach(note);
  }
  if (done.failure) throw done.failure;
  words.next?.(done, shown).forEach(note);
}

import type { Deployment } from '../deployment.ts';
import type { ConfigurationTables } from '../tables.ts';

/** The place where a change is made. */
export interface Context {
  readonly deployment: Deployment;
  readonly tables: ConfigurationTables;
}

/** A value that says what a change would do. */
export interface Shown {
  /** False if it would change nothing, so that nobody has to be asked. */
  readonly hasEffect?: boolean;
  /** The text that a person has to type before it is made, if a yes is not enough. */
  readonly typed?: string | undefined;
  /** The reason why it could not be computed wholly. It is thrown once the rest is shown. */
  readonly failure?: unknown;
}

/** A value that says what a change did. */
export interface Done {
  /** The reason why it did only a part of that. It is thrown once the rest is shown. */
  readonly failure?: unknown;
}

/**
 * A change of a deployment. It knows no terminal and no page: the command line and the console
 * show its values, and ask.
 */
export interface Change<TShown extends Shown, TDone extends Done, TContext = Context> {
  /** True if it records no author: then it is made although AWS STS cannot be asked for one. */
  readonly isUnsigned?: true;
  /** Computes what it would do. Throws if it cannot be made. */
  readonly show: (context: TContext) => Promise<TShown>;
  /**
   * Does what was shown.
   *
   * @param by the author, for the history.
   */
  readonly apply: (context: TContext, shown: TShown, by: string) => Promise<TDone>;
}

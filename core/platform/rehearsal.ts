import { AsyncLocalStorage } from 'node:async_hooks';

/*
 * V8 compiles a function when it is first called, which is most of the CPU time of a first call. A function that rehearses its first call
 * while it initialises has compiled the code by then. A rehearsal sends, stores, logs and counts nothing.
 */

const rehearsals = new AsyncLocalStorage<true>();

/** Runs a rehearsal: until it settles, what it logs and counts is written nowhere. */
export function inRehearsal<TResult>(run: () => Promise<TResult>): Promise<TResult> {
  return rehearsals.run(true, run);
}

/** Returns whether the caller is part of a rehearsal. */
export function isRehearsal(): boolean {
  return rehearsals.getStore() === true;
}

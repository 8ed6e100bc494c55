import type { Deployment } from '../../deployment/deployment.ts';

/**
 * `problem`: the deployment lacks something. `unchecked`: AWS did not say. `note`: worth knowing,
 * and no problem.
 */
export type Status = 'ok' | 'note' | 'problem' | 'unchecked';

/** What a check has found. */
export interface Diagnosis {
  readonly status: Status;
  /** In one or two sentences: what is wrong, and what to do. */
  readonly message: string;
  /** The client that the message is about, if it is about one. */
  readonly clientId?: string;
}

/** A check of a deployment. What it throws is what the SDK's clients throw. */
export interface Check {
  readonly name: string;
  /** Why the check does not apply to the local server; undefined if it does. */
  readonly notLocal?: string;
  readonly run: (deployment: Deployment, caller: Caller) => AsyncGenerator<Diagnosis>;
}

/** What the checks tell the command while they run. */
export interface Caller {
  /** Receives how many clients were checked so far. */
  readonly progress: (done: number) => void;
}

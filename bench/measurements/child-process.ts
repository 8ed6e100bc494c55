import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process whose function is measured. It answers each message with one. */
export interface MeasuredProcess {
  readonly child: ChildProcess;
  readonly exited: Promise<unknown>;
  /** @throws Error if the process exits first, with what it logged last. */
  readonly nextMessage: <TMessage>() => Promise<TMessage>;
  readonly ask: <TAnswer>(message: object) => Promise<TAnswer>;
}

/**
 * Starts a script of the bench.
 *
 * @param what names the process in errors.
 */
export function startMeasuredProcess(
  script: URL,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  what: string,
  flags: readonly string[] = [],
): MeasuredProcess {
  const child = fork(fileURLToPath(script), [...args], {
    env,
    execArgv: [...flags],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  // The log is only of interest if the process exits too early.
  let lastLogged = '';
  child.stderr?.on('data', (logged) => {
    lastLogged = String(logged);
  });
  const exited = once(child, 'exit');
  const failed = exited.then(() => {
    throw new Error(`${what} exited. ${lastLogged}`);
  });
  failed.catch(() => {});
  const nextMessage = async () => (await Promise.race([once(child, 'message'), failed]))[0];
  const ask = (message: object) => {
    const answered = nextMessage();
    child.send(message);
    return answered;
  };
  return { child, exited, nextMessage, ask };
}

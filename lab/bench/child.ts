import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process of the bench. It answers each message with one. */
export interface Child {
  readonly pid: number;
  /** @throws Error if the process exits first, with what it logged last. */
  readonly nextMessage: <TMessage>() => Promise<TMessage>;
  readonly ask: <TAnswer>(message: object) => Promise<TAnswer>;
  /** Kills it: an open connection could keep it running. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a script of the bench. It should exit when its parent does.
 *
 * @param name names the process in errors.
 */
export function startChild(
  name: string,
  script: URL,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  flags: readonly string[] = [],
): Child {
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
    throw new Error(`${name} exited. ${lastLogged}`);
  });
  failed.catch(() => {});
  const nextMessage = async () => (await Promise.race([once(child, 'message'), failed]))[0];
  const ask = (message: object) => {
    const answered = nextMessage();
    child.send(message);
    return answered;
  };
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return { pid: child.pid ?? Number.NaN, nextMessage, ask, stop };
}

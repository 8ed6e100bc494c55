import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Fate, startPhoneNetwork } from '../../test/support/phone-network.ts';

const LOST_RESPONSES = 0.3;
/** A queue that does not get ahead needs more. */
const MAX_STARTS = 300;
const END_KINDS = ['write', 'request', 'response'] as const;
type EndKind = (typeof END_KINDS)[number];

/** A program that adds the codes of its arguments to a queue and sends them until none waits. */
export interface QueueProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** The folder that the program sees as its root, if it is not the machine's. */
  readonly root?: string;
}

export interface PhoneOptions {
  readonly target: string;
  readonly env: Readonly<Record<string, string>>;
  readonly codes: readonly string[];
  /** The processes of the app, which share its storage and the codes to add. */
  readonly processes: number;
  /** The milliseconds by which the clock of the phone is behind. */
  readonly clockOffset: number;
  /** Returns numbers from 0 to 1. */
  readonly random: () => number;
}

/** The history of the programs on a phone. */
export interface Observed {
  /** The codes that the app took. */
  readonly added: ReadonlySet<string>;
  readonly starts: number;
  readonly ended: number;
  readonly lostResponses: number;
  /** The dates under which each code left the phone. */
  readonly dates: ReadonlyMap<string, ReadonlySet<string>>;
  /** The attempts that began while another process had one of the same code in flight. */
  readonly atOnce: number;
}

/**
 * Starts programs until their queue is empty. 30 % of the responses are lost, and each program is
 * ended by SIGKILL: after its first write, request and response, after the second of each, and so
 * on.
 */
export async function runPhone(program: QueueProgram, options: PhoneOptions): Promise<Observed> {
  const { target, env, codes, processes, clockOffset, random } = options;
  const added = new Set<string>();
  const dates = new Map<string, Set<string>>();
  const inFlight = new Map<string, number>();
  const counts = { starts: 0, ended: 0, lostResponses: 0, atOnce: 0 };

  /** Runs the program of a process until it has ended. Returns true if the queue is empty. */
  async function start(
    number: number,
    network: Awaited<ReturnType<typeof startPhoneNetwork>>,
    given: readonly string[],
    end: { readonly kind: EndKind; readonly count: number },
  ): Promise<boolean> {
    const child = spawn(program.command, [...program.args, ...given], {
      env: { ...process.env, ...env, API_URL: network.url },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let isEnded = false;
    let left = end.count;
    const endsAfter = (kind: EndKind): boolean => {
      if (kind !== end.kind || isEnded || --left > 0) return isEnded;
      isEnded = child.kill('SIGKILL');
      // Another process may send its code from now on.
      for (const [code, one] of inFlight) if (one === number) inFlight.delete(code);
      return isEnded;
    };
    network.fateOf = (code): Fate => {
      if (inFlight.has(code)) counts.atOnce++;
      inFlight.set(code, number);
      if (endsAfter('request') && random() < 0.5) return 'request lost';
      const isLost = random() < LOST_RESPONSES;
      if (isLost) counts.lostResponses++;
      return isLost ? 'response lost' : 'arrives';
    };
    network.onAttempt = ({ promoCode, requestDate }, outgoing) => {
      dates.set(promoCode, (dates.get(promoCode) ?? new Set()).add(requestDate));
      if (inFlight.get(promoCode) === number) inFlight.delete(promoCode);
      outgoing.once('finish', () => endsAfter('response'));
    };
    const closed = once(child, 'close');
    // A program that has ended takes no more lines.
    child.stdin.on('error', () => {});
    const adding = given.values();
    let next = adding.next();
    for await (const line of createInterface({ input: child.stdout })) {
      // What is stored or was confirmed has been taken.
      if (next.value !== undefined) added.add(next.value);
      if (line === 'added') next = adding.next();
      else if (!endsAfter('write')) child.stdin.write('\n');
    }
    const [code] = await closed;
    if (!isEnded && code !== 0) throw new Error(`A program ended with ${code}.`);
    if (isEnded) counts.ended++;
    return !isEnded;
  }

  async function runProcess(number: number): Promise<void> {
    await using network = await startPhoneNetwork(target);
    network.clockOffset = clockOffset;
    for (let run = 0; ; run++) {
      if (++counts.starts > MAX_STARTS) throw new Error('The queue does not get ahead.');
      const own = codes.filter((code, at) => at % processes === number && !added.has(code));
      const kind = END_KINDS[run % END_KINDS.length] ?? 'write';
      const end = { kind, count: 1 + Math.floor(run / END_KINDS.length) };
      if (await start(number, network, own, end)) return;
    }
  }

  await Promise.all(Array.from({ length: processes }, (_, number) => runProcess(number)));
  return { ...counts, added, dates };
}

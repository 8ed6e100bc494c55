import { setTimeout } from 'node:timers/promises';
import { pick, randomNumbers } from '../../test/support/random-numbers.ts';
import { formOf, spelled, typed } from './codes.ts';
import { contentOf, someAttributes, textOfItem } from './content.ts';
import { History, type Outcome } from './history.ts';
import type { System } from './system.ts';

/** Porcupine gives no verdict in time on many more. A call is open until a read after a drain. */
const OPEN_CALLS = 8;
const CALLS = 4;
const RETRY_DELAY_MS = 300;
/** Calls of a code are at the same moment, or spread over this time. */
const SPREAD_MS = 400;
const READS = 6;

const UNRESOLVED: readonly Outcome[] = ['retryable', 'failed', 'unanswered'];

/** The calls of a phase. */
export interface Phase {
  /** The number of codes, each of one user. */
  readonly codes: number;
  /** The number of codes at a time; 6 by default. */
  readonly atOnce?: number;
  /** True if the same date may be sent again. True by default. */
  readonly resends?: boolean;
  /** True if reads run beside the calls. True by default. */
  readonly reads?: boolean;
  /** Milliseconds that each call of a code adds to the time before the next one. 0 by default. */
  readonly msPerCall?: number;
  /** The number of calls of all phases after which none is sent. */
  readonly maxCalls?: number;
  /** Called with the part of the codes that have begun, from 0 to 1. */
  readonly onProgress?: (progress: number) => void;
}

/** A code of a user, with the dates that its calls have. */
interface Subject {
  readonly user: string;
  readonly code: string;
  /** Three dates of a phase, in their normal form. Two differ by nanoseconds. */
  dates: readonly string[];
  /** The calls since the last read that followed a drain. */
  open: number;
}

/** Sends calls to a system, and records them with what reads find. */
export class Recorder {
  readonly history = new History();
  readonly #system: System;
  readonly #next: () => number;
  readonly #subjects: Subject[] = [];
  #calls = 0;

  /** @param seed determines the calls. */
  constructor(system: System, seed: string) {
    this.#system = system;
    this.#next = randomNumbers(seed);
  }

  /** Sends the calls of a phase. The next phase sends the same codes, with old and new dates. */
  async send(phase: Phase): Promise<void> {
    this.#prepare(phase.codes);
    const remaining = this.#subjects.entries();
    const work = async () => {
      for (const [index, subject] of remaining) {
        phase.onProgress?.(index / phase.codes);
        const [calls, start] = [this.#calls, performance.now()];
        await this.#sendCalls(subject, phase);
        const lastsMs = (this.#calls - calls) * (phase.msPerCall ?? 0);
        await setTimeout(Math.max(0, lastsMs - (performance.now() - start)));
      }
    };
    let isSending = true;
    const reading = async () => {
      for (let reads = 0; reads < READS && isSending && phase.reads !== false; reads++) {
        await this.#read('running');
        await setTimeout(SPREAD_MS);
      }
    };
    const sending = Promise.all(Array.from({ length: phase.atOnce ?? 6 }, work));
    const ended = sending.finally(() => {
      isSending = false;
    });
    await Promise.all([ended, reading()]);
    phase.onProgress?.(1);
  }

  /** Sends one call for each code of some users. */
  async sendToEach(users: readonly string[], everyMs: number): Promise<void> {
    const calls: Promise<unknown>[] = [];
    for (const subject of this.#subjects.filter(({ user }) => users.includes(user))) {
      calls.push(this.#call(subject, pick(subject.dates, this.#next()), 'other device'));
      await setTimeout(everyMs);
    }
    await Promise.all(calls);
  }

  /** Erases a user, and records it. */
  async erase(user: string, erase: () => Promise<void>): Promise<void> {
    const start = this.history.now();
    await erase();
    const line = { process: 'operator', op: 'erase', user, outcome: 'erased' } as const;
    this.history.add(line, start, this.history.now());
  }

  /** Waits until nothing is queued, and reads. No other read closes the open calls. */
  async readDrained(): Promise<void> {
    await this.#system.drain();
    await this.#read('drained');
    for (const subject of this.#subjects) subject.open = 0;
  }

  /** Reads the bus when it has been told all: it must have what a read of the table finds. */
  async readBus(): Promise<void> {
    await this.#read('running', this.#system.readBus);
  }

  #prepare(codes: number): void {
    const { users } = this.#system;
    while (this.#subjects.length < codes) {
      const index = this.#subjects.length;
      const user = users[index % users.length] as string;
      // Users share codes.
      const code = `CAFÉ${Math.floor(index / users.length)}`;
      this.#subjects.push({ user, code, dates: [], open: 0 });
    }
    const now = Date.now();
    for (const [index, subject] of this.#subjects.entries()) {
      // One that the last phase may have used, and others.
      const [kept] = subject.dates;
      const millisecond = new Date(now + index).toISOString().replace(/.Z$/, '1');
      subject.dates = [kept ?? `${millisecond}Z`, `${millisecond}0002Z`, `${millisecond}0003Z`];
    }
  }

  async #sendCalls(subject: Subject, { resends = true, maxCalls = Infinity }: Phase) {
    const isSpread = this.#next() < 0.5;
    const planned = Array.from({ length: resends ? CALLS : subject.dates.length }, (_, index) => ({
      delayMs: isSpread ? this.#next() * SPREAD_MS : 0,
      date: resends ? pick(subject.dates, this.#next()) : (subject.dates[index] as string),
      process: `device ${index + 1}`,
    }));
    await Promise.all(
      planned.map(async ({ delayMs, date, process }) => {
        await setTimeout(delayMs);
        if (this.#calls >= maxCalls) return;
        const outcome = await this.#call(subject, date, process);
        if (!UNRESOLVED.includes(outcome)) return;
        await setTimeout(RETRY_DELAY_MS);
        if (subject.open < OPEN_CALLS && this.#calls < maxCalls) {
          await this.#call(subject, date, process);
        }
      }),
    );
  }

  async #call(subject: Subject, date: string, process: string): Promise<Outcome> {
    const { user, code } = subject;
    subject.open++;
    this.#calls++;
    const call = {
      user,
      code: typed(code, this.#next()),
      date: spelled(date, this.#next()),
      ...someAttributes(this.#next),
    };
    const content = contentOf(call, this.#system.storesDeviceIds());
    const start = this.history.now();
    const outcome = await this.#system.apply(call);
    const line = { process, op: 'apply', user, code, date, content } as const;
    this.history.add({ ...line, outcome }, start, this.history.now());
    return outcome;
  }

  /** Records what a read finds of each code, also of those that nobody has sent. */
  async #read(outcome: 'running' | 'drained', bus?: System['readBus']): Promise<void> {
    const start = this.history.now();
    const items = await (bus ?? this.#system.read)();
    const end = this.history.now();
    const keyOf = (user: string, code: string) => JSON.stringify([user, code]);
    const found = new Map(
      this.#subjects.map(({ user, code }) => [keyOf(user, code), [] as string[]]),
    );
    for (const item of items) {
      const key = keyOf(item.userId, formOf(item.promoCode));
      found.set(key, [...(found.get(key) ?? []), textOfItem(item)]);
    }
    for (const [key, ofCode] of found) {
      const [user, code] = JSON.parse(key) as [string, string];
      const process = bus ? 'bus' : 'reader';
      const line = { process, op: 'read', user, code, outcome } as const;
      this.history.add({ ...line, items: ofCode.toSorted() }, start, end);
    }
  }
}

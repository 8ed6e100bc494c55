import { CONFIGURATION_CHANGED } from 'customer-data-api/history';
import { PERMISSIONS } from 'customer-data-api/permissions';
import type { Aws, Call } from 'customer-data-api/testing/aws';
import { expectPermitted } from 'customer-data-api/testing/permitted-calls';
import type { Outputs } from 'customer-data-api-deployment/outputs';
import { expect, vi } from 'vitest';
import { widestOf } from './screen.ts';

/* What must hold of every command of a transcript, whatever the scenario. */

const CHANGING = [
  'clients create',
  'clients set-app-clients',
  'clients remove',
  'keys add',
  'keys revoke',
  'config publish',
  'config rollback',
  'config undo',
  'rollout widen',
  'rollout finish',
  'rollout stop',
  'queue redrive',
  'user erase',
  'promo copy',
  'promo import',
  'smoke',
];
/** Commands whose output on a terminal is as wide as the terminal. */
const WRAPPED = /^(clients (list|show)|config (diff|history)|doctor)\b|--help\b/;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** All that commands can change. */
export interface State {
  readonly clients: readonly Readonly<Record<string, unknown>>[];
  readonly promoEvents: readonly unknown[];
  readonly queues: readonly object[];
  readonly events: string;
}

/** A command that has ended. */
interface Ended {
  readonly words: readonly string[];
  readonly code: number;
  /** True if a question was answered with no, or not at all. */
  readonly isDeclined: boolean;
  /** True if somebody else made a change while it ran. */
  readonly isDisturbed: boolean;
  readonly before: State;
  readonly after: State;
  /** Its output, and the columns of the terminal; undefined in a pipe. */
  readonly outputs: readonly { readonly raw: string; readonly columns: number | undefined }[];
}

/**
 * Returns the function that checks that a command listens for no signal any more, and has closed
 * its connections.
 */
export function watchLeftovers(aws: Aws) {
  const listeners = () => SIGNALS.map((name) => process.listenerCount(name));
  const before = listeners();
  return async () => {
    expect(listeners()).toEqual(before);
    // A server keeps a connection that nobody uses for five seconds.
    await vi.waitFor(async () => expect(await aws.connections()).toBe(0), { interval: 2 });
  };
}

/** Checks what a command changed and printed. */
export function checkEnded(ended: Ended): void {
  checkChanges(ended);
  checkSecrets(ended);
  checkOutput(ended);
}

/** Checks that a command changed nothing if it was not to. */
function checkChanges({ words, code, isDeclined, isDisturbed, before, after }: Ended): void {
  const isChanging = CHANGING.some((name) => words.join(' ').startsWith(name));
  const mayChange =
    isChanging && !words.includes('--dry-run') && !isDeclined && ![2, 3].includes(code);
  if (!mayChange && !isDisturbed) expect(withoutNews(after)).toEqual(withoutNews(before));
}

/** News of a change comes when the change is recorded, which may be after the next command. */
function withoutNews({ events, ...others }: State) {
  // The last line may be half written.
  const whole = events.split('\n').slice(0, -1);
  const lines = whole.filter((line) => !line.includes(CONFIGURATION_CHANGED));
  return { ...others, events: lines };
}

/**
 * Checks that nothing but the command that makes an App-Id prints it, once, and that no token is
 * printed.
 */
function checkSecrets({ before, after, outputs }: Ended): void {
  const [stdout = '', stderr = ''] = outputs.map(({ raw }) => raw);
  for (const secret of secretsIn(before)) expect(`${stdout}${stderr}`).not.toContain(secret);
  for (const secret of secretsIn(after)) {
    expect(stdout.split(secret).length).toBeLessThanOrEqual(2);
    expect(stderr).not.toContain(secret);
  }
  expect(`${stdout}${stderr}`).not.toMatch(/\beyJ\w+\./);
}

/** Checks what programs and terminals rely on. */
function checkOutput({ words, code, outputs }: Ended): void {
  for (const { raw, columns } of outputs) {
    if (columns === undefined) expect(raw).not.toMatch(/[^\P{Cc}\n]/u);
  }
  const [{ raw, columns } = { raw: '', columns: undefined }] = outputs;
  if (words.includes('--json') && code !== 2) {
    for (const line of raw.split('\n').filter(Boolean)) {
      expect(JSON.parse(line)).toEqual(expect.any(Object));
    }
  } else if (columns !== undefined && WRAPPED.test(words.join(' '))) {
    // Examples and suggested commands are to be copied.
    const [text = ''] = raw.split('\nExamples:\n');
    const lines = text.split('\n').filter((line) => !/^ *\.\/customer-data /.test(line));
    expect(widestOf(lines.join('\n'))).toBeLessThanOrEqual(columns);
  }
}

/**
 * Checks that a command on the local server calls nothing else: the operator's own account would
 * have been asked with their credentials.
 */
export function checkStaysLocal(calls: readonly Call[]): void {
  const others = calls.filter(({ signer }) => !signer.startsWith('local '));
  expect(others.map(({ operation }) => operation)).toEqual([]);
}

/** Checks that the policies for operators permit the calls of a command. */
export function checkPermissions(
  words: readonly string[],
  calls: readonly Call[],
  outputs: Outputs,
): void {
  const name = CHANGING.find((one) => words.join(' ').startsWith(one));
  const isByDeployer = name === 'smoke' || name === 'promo copy' || name === 'promo import';
  if (isByDeployer || words.includes('--stage')) return;
  const isDry = words.includes('--dry-run');
  const isOf = (command: string) => {
    const parts = command.split(' ').filter((word) => word !== '--dry-run');
    const named = parts.filter((word) => !word.startsWith('--')).join(' ');
    const options = parts.filter((word) => word.startsWith('--'));
    return words.join(' ').startsWith(named) && options.every((word) => words.includes(word));
  };
  const permitted = PERMISSIONS.filter(({ policy, commands }) =>
    policy === 'Viewer'
      ? name !== undefined || words[0] === 'doctor' || commands.some(isOf)
      : commands.some(
          (one) =>
            isOf(one) &&
            (!isDry || one.endsWith('--dry-run') || !/^(queue|config)/.test(`${name}`)),
        ),
  );
  expectPermitted(calls, permitted, outputs);
}

/** The App-Ids of all clients, also those in misspelled attributes. */
function secretsIn({ clients }: State): string[] {
  return clients.flatMap((item) =>
    Object.entries(item).flatMap(([name, value]) => {
      if (!/^app_?id/i.test(name)) return [];
      const values = value instanceof Set || Array.isArray(value) ? [...value] : [value];
      return values.flatMap((one) =>
        typeof one === 'string' ? one.split(/[\s,]+/).filter(Boolean) : [],
      );
    }),
  );
}

import { expect, test } from 'vitest';
import { interruption } from '../../../cli/interruption.ts';

test.each(['SIGINT', 'SIGTERM'] as const)('%s aborts the signal', (name) => {
  using interrupted = interruption();
  expect(interrupted.signal.aborted).toBe(false);
  process.emit(name);
  expect(interrupted.signal.aborted).toBe(true);
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'nothing listens for a second %s, so it ends the process',
  (name) => {
    const before = process.listenerCount(name);
    using _interrupted = interruption();
    expect(process.listenerCount(name)).toBe(before + 1);
    process.emit(name);
    expect(process.listenerCount(name)).toBe(before);
  },
);

test('nothing listens after the end of the block', () => {
  const listeners = () => ['SIGINT', 'SIGTERM'].map((name) => process.listenerCount(name));
  const before = listeners();
  {
    using _interrupted = interruption();
    expect(listeners()).toEqual(before.map((count) => count + 1));
  }
  expect(listeners()).toEqual(before);
});

import { expect, test } from 'vitest';
import { Cleanup } from '../../../../cli/smoke/cleanup.ts';

test('removals run one after the other, in reverse order of creation', async () => {
  const removed: string[] = [];
  {
    await using cleanup = new Cleanup(() => expect.unreachable());
    for (const name of ['user', 'client', 'event']) {
      cleanup.willRemove(name, async () => {
        await Promise.resolve();
        removed.push(name);
      });
    }
    expect(removed).toEqual([]);
  }
  expect(removed).toEqual(['event', 'client', 'user']);
});

test.each([
  ['rejects', async () => Promise.reject(new Error('No permission.'))],
  [
    'throws',
    () => {
      throw new Error('No permission.');
    },
  ],
])('a removal that %s is printed, and the rest is removed', async (_, remove) => {
  const removed: string[] = [];
  const printed: string[] = [];
  {
    await using cleanup = new Cleanup((line) => printed.push(line));
    cleanup.willRemove('the user', async () => void removed.push('user'));
    cleanup.willRemove('the item', remove);
    cleanup.willRemove('the event', async () => void removed.push('event'));
  }
  expect(removed).toEqual(['event', 'user']);
  expect(printed).toEqual(['NOT REMOVED: the item. Remove it by hand. Error: No permission.']);
});

test('after a failure everything is still removed, and the error is thrown', async () => {
  const removed: string[] = [];
  const checking = async () => {
    await using cleanup = new Cleanup(() => expect.unreachable());
    cleanup.willRemove('the user', async () => void removed.push('user'));
    throw new Error('The response was lost.');
  };
  await expect(checking()).rejects.toThrow('The response was lost.');
  expect(removed).toEqual(['user']);
});

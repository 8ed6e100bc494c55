import type * as crypto from 'node:crypto';
import { timingSafeEqual } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { hasAppId, readAccess } from '../../../../core/clients/client-access.ts';

vi.mock('node:crypto', async (importOriginal) => {
  const original = await importOriginal<typeof crypto>();
  return { ...original, timingSafeEqual: vi.fn(original.timingSafeEqual) };
});

test.each(['first', 'second', 'third', 'none'])(
  'the time of a check does not tell which key of a client it was: %s',
  (appId) => {
    vi.mocked(timingSafeEqual).mockClear();
    const item = { appIds: ['first', 'second', 'third'] };
    const record = { ...readAccess(item, 'demo', false), data: undefined };
    expect(hasAppId(record, appId)).toBe(appId !== 'none');
    expect(timingSafeEqual).toHaveBeenCalledTimes(3);
  },
);

import * as v from 'valibot';
import { expect, test } from 'vitest';
import { NO_CLIENT } from '../../../../core/clients/early-read.ts';
import { ClientId } from '../../../../core/identifiers.ts';

test('no request can name the client that the early read asks for', () => {
  expect(v.is(ClientId, `${NO_CLIENT}demo`)).toBe(false);
  expect(v.is(ClientId, NO_CLIENT)).toBe(false);
});

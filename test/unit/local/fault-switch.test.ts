import { expect, test } from 'vitest';
import { type Fault, FaultSwitch } from '../../../local/fault-switch.ts';

test('a fault has begun before the functions are told, so that a function that starts meanwhile has it', async () => {
  const seen: Fault[] = [];
  const faults: FaultSwitch = new FaultSwitch('slow', async () => {
    seen.push(faults.fault);
  });
  expect(faults.fault).toBe('slow');
  await faults.change('keys-down');
  await faults.change('none');
  expect(seen).toEqual(['keys-down', 'none']);
});

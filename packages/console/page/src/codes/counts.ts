import type { Codes } from '../answers.ts';

const MAX_EVENTS = 1000;

/** Joins what was found earlier with the rest. */
export function joined(earlier: Codes | undefined, rest: Codes): Codes {
  if (!earlier) return rest;
  const timeOf = ({ receivedAt = '' }: Codes['events'][number]) => receivedAt;
  return {
    ...rest,
    events: [...earlier.events, ...rest.events]
      .sort((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1))
      .slice(0, MAX_EVENTS),
    found: earlier.found + rest.found,
    applied: earlier.applied + rest.applied,
    repeated: earlier.repeated + rest.repeated,
    read: earlier.read + rest.read,
  };
}

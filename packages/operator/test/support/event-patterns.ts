import type { Input } from 'customer-data-api/testing/aws';
import { readEventPattern } from '../../promo-events/event-pattern.ts';

/** Answers `TestEventPattern` as EventBridge does. */
export const testEventPattern = ({ EventPattern, Event }: Input) => ({
  Result: readEventPattern(String(EventPattern))(JSON.parse(String(Event))),
});

export { type DeadLetter, readDeadLetter } from './events/dead-letter.ts';
export {
  type Bus,
  type BusEvent,
  NotTakenError,
  type Put,
  putEvents,
} from './events/put-events.ts';

export { type DeadLetter, readDeadLetter } from './events/dead-letter.ts';

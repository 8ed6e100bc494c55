import type { Mistake } from '../project-copy.ts';

const SDK = 'packages/sdk/src/promo-code-queue.ts';
const KOTLIN = 'examples/apps/kotlin/src/promocodes/PromoCodeQueue.kt';
const SWIFT = 'examples/apps/swift/Sources/CustomerData/PromoCodeQueue.swift';

/** A mistake that the lane must find, in each queue. */
interface QueueMistake {
  readonly name: string;
  readonly sdk: Mistake;
  readonly kotlin: Mistake;
  readonly swift: Mistake;
}

export const MISTAKES: readonly QueueMistake[] = [
  {
    name: 'a code is stored after it was sent',
    sdk: {
      file: SDK,
      old: 'const attempt = await attemptOf(session, entry, tryChange, signal);',
      new: `await removeOne(entry.id, tryChange);
    const attempt = await attemptOf(session, entry, tryChange, signal);
    await tryChange((entries) => [entry, ...entries]);`,
    },
    kotlin: {
      file: KOTLIN,
      old: 'val answer = attempt(session, entry, isStopped, onCall) { replace(sent.copy(requestDate = it)) }',
      new: `removes(entry.id, tryChange)
        val answer = attempt(session, entry, isStopped, onCall) { replace(sent.copy(requestDate = it)) }
        tryChange { entries -> listOf(sent) + entries }`,
    },
    swift: {
      file: SWIFT,
      old: 'let answer = await sending.sharedFate',
      new: `tryChange { entries in entries.filter { $0.id != entry.id } }
        let answer = await sending.sharedFate
        tryChange { entries in [entry] + entries }`,
    },
  },
  {
    name: 'each attempt has a new date',
    sdk: {
      file: SDK,
      old: 'requestDate: new Date(requestDate),',
      new: 'requestDate: now(session),',
    },
    kotlin: {
      file: KOTLIN,
      old: 'attempt(session, entry,',
      new: 'attempt(session, entry.copy(requestDate = session.now().toString()),',
    },
    swift: {
      file: SWIFT,
      old: 'date: entry.requestDate) { date in',
      new: 'date: nil) { date in',
    },
  },
];

import type { State, TlaValue } from './tla-value.ts';
import type { Check, Mutant, Step } from './tlc.ts';

type Fields = { readonly [name: string]: TlaValue };

/** What happens in each action. CALL is the call that the action is about. */
const SENTENCES: Readonly<Record<string, string>> = {
  Send: 'The app sends CALL.',
  TableTakes: 'The table takes the write of CALL.',
  TableRefuses: 'The table refuses the write of CALL.',
  TableLosesResponse: 'The table takes the write of CALL, and the response is lost.',
  QueueTakes: 'The queue takes the message of CALL.',
  QueueRefuses: 'The queue refuses the message of CALL.',
  QueueLosesResponse: 'The queue takes the message of CALL, and the response is lost.',
  Receive: 'The storing function receives the message of CALL.',
  StoreTakes: 'The table takes the write of the storing function for CALL.',
  StoreRefuses: 'The table refuses the write of the storing function for CALL.',
  StoreLosesResponse: 'The storing function writes for CALL, and the response is lost.',
  Delete: 'The message of CALL is deleted.',
  DeleteFails: 'The message of CALL is stored, and not deleted.',
  VisibilityEnds: 'The visibility timeout of the message of CALL ends.',
  RedriveSends: 'The redrive takes the dead letter of CALL.',
  RedriveDeletes: 'The redrive deletes the dead letter of CALL.',
  RedriveDies: 'The redrive dies before it deletes the dead letter of CALL.',
  LetterExpires: 'The dead letter of CALL expires.',
  PipeDelivers: 'The pipe publishes the item of CALL.',
  PipeLosesResponse: 'The pipe publishes the item of CALL and will do it again.',
  PipeGivesUp: 'The pipe gives up the record of the item of CALL.',
  StreamForgets: 'The stream forgets the record of the item of CALL.',
  Replay: 'The operator replays the dead letter of the item of CALL.',
  EraseBegins: 'The operator begins to erase the user.',
  EraseQueue: 'The erasure searches the queue.',
  EraseLetters: 'The erasure searches the dead letters.',
  EraseQueueAgain: 'The erasure searches the queue again.',
  EraseItems: 'The erasure removes the items of the user.',
  ItemExpires: 'The item of CALL expires.',
};

/** Tells a trace, a line per step. */
export function tellTrace(trace: readonly Step[]): string[] {
  return trace.slice(1).map(({ action, state }, index) => {
    const before = trace[index]?.state ?? {};
    const number = callOf(before, state);
    const calls = state.calls as Fields[] | undefined;
    const call = calls?.[number - 1];
    const told = (before.calls as Fields[] | undefined)?.[number - 1]?.told ?? 'nothing';
    const sentence = SENTENCES[action] ?? `${action}.`;
    const named = action === 'Send' ? `call ${number} (${call?.date})` : `call ${number}`;
    const answer = call && call.told !== told ? ` The answer: ${call.told}.` : '';
    return sentence.replace('CALL', named) + answer;
  });
}

/** The Markdown of a mutant. */
export function tellMutant({ name, story, property }: Mutant, { trace }: Check): string {
  const lines = tellTrace(trace).map((line, index) => `${index + 1}. ${line}`);
  return [`### ${name}`, `${story}\nViolates \`${property}\`:`, lines.join('\n')].join('\n\n');
}

/** The number of the call whose state, message or item a step changed. */
export function callOf(before: State, after: State): number {
  const calls = after.calls as TlaValue[];
  const other = before.calls as TlaValue[];
  const changed = calls?.findIndex((call, index) => !isSame(call, other[index])) ?? -1;
  if (changed >= 0) return changed + 1;
  for (const name of ['messages', 'table', 'stream', 'dead', 'bus']) {
    const [one, two] = [before[name] as Fields[], after[name] as Fields[]];
    const different = [
      ...(two ?? []).filter((item) => !one.some((same) => isSame(item, same))),
      ...(one ?? []).filter((item) => !two.some((same) => isSame(item, same))),
    ];
    const [first] = different;
    if (first) return Number(first.call ?? first.by);
  }
  return 0;
}

function isSame(one: TlaValue | undefined, other: TlaValue | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

import type { State, TlaValue } from './tla-value.ts';
import type { Step } from './tlc.ts';

type Fields = { readonly [name: string]: TlaValue };

/**
 * The story of each action. CALL is the call that the action is about. `{variable}` is the entry of
 * a variable that the action changes, `{variable.name}` an attribute of the entry, and
 * `{variable.key}` its key.
 */
const SENTENCES: Readonly<Record<string, string>> = {
  Send: 'The app sends CALL.',
  TableTakes: 'The table takes the write of CALL.',
  TableRefuses: 'The table refuses the write of CALL.',
  TableLosesResponse: 'The table takes the write of CALL, and the response is lost.',
  QueueTakes: 'The queue takes the message of CALL.',
  QueueRefuses: 'The queue refuses the message of CALL.',
  QueueLosesResponse: 'The queue takes the message of CALL, and the response is lost.',
  Receive: 'The storing function receives the message of CALL.',
  MarkerIsUnreadable: 'The storing function cannot read the markers for the message of CALL.',
  StoreTakes: 'The table takes the write of the storing function for CALL.',
  StoreRefuses: 'The table refuses the write of the storing function for CALL.',
  StoreLosesResponse: 'The storing function writes for CALL, and the response is lost.',
  Delete: 'The message of CALL is deleted.',
  DeleteFails: 'The message of CALL is stored, and not deleted.',
  VisibilityEnds: 'The visibility timeout of the message of CALL ends.',
  RedriveSends: 'SQS sends a copy of the dead letter of CALL.',
  RedriveDeletes: 'SQS deletes the dead letter of CALL.',
  RedriveRepeats: 'SQS does not delete the dead letter of CALL.',
  LetterExpires: 'The dead letter of CALL expires.',
  RecordGetsLate: 'The record of the item of CALL is older than a minute.',
  BusTakes: 'The bus takes the event of the item of CALL.',
  ErasedIsDropped: 'The publisher drops the event of the item of CALL.',
  BusLosesResponse: 'The bus takes the event of the item of CALL, and the response is lost.',
  BusCannotTake: 'The bus answers that it cannot take the event of the item of CALL.',
  BecomesDeadLetter: 'The event of the item of CALL becomes a dead letter.',
  RedriveSendsLetter: 'SQS sends a copy of the dead letter of the item of CALL.',
  RedriveDeletesLetter: 'SQS deletes the dead letter of the item of CALL.',
  RedriveRepeatsLetter: 'SQS does not delete the dead letter of the item of CALL.',
  PublisherPublishesLetter: 'The publisher publishes the item of CALL for its letter.',
  LetterIsDeleted: 'The letter of the item of CALL is deleted.',
  LetterReturns: 'The letter of the item of CALL becomes a dead letter again.',
  EraseBegins: 'The operator begins to erase the user, with a marker.',
  EraseItems: 'The erasure searches the table.',
  EraseItemsAgain: 'The erasure searches the table again.',
  ItemExpires: 'The item of CALL expires.',
  RestorePoint: 'The restored table has what the table has now.',
  Freeze: 'The operator freezes the table.',
  EraseAgain: 'The copy removes from the restored table what must not come back.',
  CopyItems: 'The copy writes what the restored table lacks.',
  Switch: 'The deployment uses the restored table.',

  PlanPublication:
    '{plans.key} plans to publish {plans.after}. The draft is based on {plans.base}.',
  PlanRollback: '{plans.key} plans to roll back to {plans.after}.',
  Publish: '{plans.key} publishes {contents}.',
  PlanStart: '{plans.key} plans a rollout of {plans.after}. The draft is based on {plans.base}.',
  PlanFinish: '{plans.key} plans to make the candidate live: {plans.after}.',
  Start: '{plans.key} starts the rollout: {contents}.',
  Widen: 'Somebody widens the rollout: {contents}.',
  ReadToStop: 'Somebody reads rollout {stopping}, to stop it.',
  Stop: 'The stop ends the rollout that runs. The item has {contents} now.',
  EditByHand: 'Somebody edits the item by hand. It has {contents} now.',
  Read: 'The {attempts.key} invocation of the recorder reads version {attempts.seen} for record {attempts.record}.',
  Write: 'The {attempts.key} invocation writes version {history.key}: {history.content}.',
  Finish: 'Lambda is done with record {done}.',
  Lose: 'Record {done} is lost.',
};

/** Tells a trace, a line per step. */
export function tellTrace(trace: readonly Step[]): string[] {
  return trace.slice(1).map(({ action, state }, index) => {
    const before = trace[index]?.state ?? {};
    const sentence = SENTENCES[action] ?? `${action}.`;
    const told = sentence.replace(/\{(\w+)\.?(\w*)\}/g, (_, variable, name) =>
      textOf(detail(changedEntry(before[variable], state[variable]), name)),
    );
    return state.calls ? tellCall(action, told, before, state) : capitalized(told);
  });
}

function tellCall(action: string, sentence: string, before: State, after: State): string {
  const number = callOf(before, after);
  const call = (after.calls as Fields[])[number - 1];
  const told = (before.calls as Fields[])[number - 1]?.told ?? 'nothing';
  // Most configurations have one code.
  const code = call?.code === 'PIZZA' ? '' : `, ${call?.code}`;
  const device = call?.device === false ? ', device not stored' : '';
  const named =
    action === 'Send' ? `call ${number} (${call?.date}${code}${device})` : `call ${number}`;
  const answer = call && call.told !== told ? ` The answer: ${call.told}.` : '';
  return sentence.replace('CALL', named) + answer;
}

/** The first entry of a variable that a step changes, adds or removes, with its key. */
function changedEntry(before: TlaValue = [], after: TlaValue = []): [string, TlaValue] {
  if (typeof after !== 'object') return ['', after];
  const [one, other] = [Object.entries(before), Object.entries(after)];
  const [longer, shorter] = one.length > other.length ? [one, other] : [other, one];
  const at = longer.findIndex((entry, index) => !isSame(entry[1], shorter[index]?.[1]));
  const [key = '', value = ''] = longer[at] ?? [];
  // The entries of a sequence count from 1.
  return [Array.isArray(after) ? String(at + 1) : key, value];
}

function detail([key, value]: [string, TlaValue], name: string): TlaValue {
  if (name === 'key') return key;
  return name ? ((value as Fields)[name] ?? '') : value;
}

function textOf(value: TlaValue): string {
  if (Array.isArray(value)) return `{${value.map(textOf).join(', ')}}`;
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .filter(([, one]) => !isNone(one))
    .map(([name, one]) => `${name} ${isRecord(one) ? rolloutText(one) : textOf(one)}`)
    .join(', ');
}

function rolloutText({ id = '', ...share }: Fields): string {
  return `${id} (${textOf(share)})`;
}

function isRecord(value: TlaValue): value is Fields {
  return typeof value === 'object' && !Array.isArray(value);
}

/** True for what stands for no rollout. */
function isNone(value: TlaValue): boolean {
  return isRecord(value) && value.id === 0;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The number of the call whose state, message or item a step changed. */
export function callOf(before: State, after: State): number {
  const calls = after.calls as TlaValue[];
  const other = before.calls as TlaValue[];
  const removed = removedItem(before, after);
  if (removed) return Number(removed.by);
  const changed = calls?.findIndex((call, index) => !isSame(call, other[index])) ?? -1;
  if (changed >= 0) return changed + 1;
  for (const name of ['messages', 'table', 'stream', 'dead', 'bus']) {
    const [one, two] = [before[name] as Fields[], after[name] as Fields[]];
    const different = [
      ...(two ?? []).filter((item) => !one.some((same) => isSame(item, same))),
      ...(one ?? []).filter((item) => !two.some((same) => isSame(item, same))),
    ];
    const [first] = different;
    // A record of the stream and a letter have their item.
    const { call, by } = { ...first, ...(first?.item as Fields | undefined) };
    if (first) return Number(call ?? by);
  }
  return 0;
}

/** The item that a step removes. */
export function removedItem(before: State, after: State): Fields | undefined {
  const [table = [], left = []] = [before.table as Fields[], after.table as Fields[]];
  if (left.length >= table.length) return undefined;
  return table.find((item) => !left.some((one) => isSame(one, item)));
}

function isSame(one: TlaValue | undefined, other: TlaValue | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

import { counted, shortened } from 'customer-data-api/configuration';
import type { Version } from 'customer-data-api/history';
import {
  type Message,
  printable,
  shellWords,
  suggesting,
  UserError,
} from 'customer-data-api-deployment/program';
import {
  ClientConflict,
  ClientExists,
  LastAppId,
  NoSuchClient,
  OperatorError,
  RemovedClient,
} from './clients/errors.ts';
import {
  AmbiguousFields,
  ConfigurationConflict,
  type ConflictReason,
  DamagedRollout,
  HistoryBehind,
  NoRollout,
  NoSuchDigest,
  NoSuchVersion,
  NotUndoable,
  type RecentChanges,
  RolloutRunning,
  UnstorableValue,
  type UsedId,
  UsedIds,
  VersionWithoutFields,
} from './configurations/errors.ts';
import { conflictId, type MergeConflict } from './configurations/merge-fields.ts';
import { UNDO_OBSTACLES } from './configurations/undo-texts.ts';

/** Limits of the message about a conflict: sentences in total, and characters per line. */
const MAX_SENTENCES = 10;
const LINE_CHARACTERS = 300;
/** The longest value in a message about a merge. */
const VALUE_CHARACTERS = 60;
/** The characters before the first difference of long values. */
const CONTEXT_CHARACTERS = 20;

/** Words an error that an operator can fix. Any other value stays as it is. */
export function withMessage(error: unknown): unknown {
  if (!(error instanceof OperatorError)) return error;
  const { code, ...data } = error;
  return new UserError(messageOf(error), code, data);
}

function messageOf(error: OperatorError): Message {
  if (error instanceof RemovedClient) {
    const { clientId } = error;
    return [
      suggesting(
        `There is no client ${clientId} any more. Create it again:`,
        'clients',
        'create',
        clientId,
      ),
      suggesting(
        'Then roll back, and give it back its App-Id:',
        'keys',
        'add',
        clientId,
        '--from',
        'FILE',
      ),
    ];
  }
  if (error instanceof NoSuchClient) return `There is no client ${error.clientId}.`;
  if (error instanceof ClientExists) {
    return `There is a client ${error.clientId} already. It was not changed.`;
  }
  if (error instanceof LastAppId) {
    const { clientId } = error;
    return suggesting(
      `This is the last App-Id of client ${clientId}. Without it, every request is refused. First add another one:`,
      'keys',
      'add',
      clientId,
    );
  }
  if (error instanceof ClientConflict) {
    const part = error.part === 'item' ? '' : `the ${error.part} of `;
    return `Somebody else changed ${part}client ${error.clientId} at the same time. Nothing was changed: try again.`;
  }
  if (error instanceof NoSuchVersion) {
    const { clientId, version } = error;
    return suggesting(
      `There is no ${clientId}@${version}. To list the versions:`,
      'config',
      'history',
      clientId,
    );
  }
  if (error instanceof NoSuchDigest) {
    const { clientId, start } = error;
    return `The history of ${clientId} has no version ${start}, of which the file was made: it is of another client or deployment, or older than the history. Export the texts again.`;
  }
  if (error instanceof VersionWithoutFields) {
    const { clientId, version, isTooLarge } = error;
    return isTooLarge
      ? `The content of ${clientId}@${version} was too large to be recorded.`
      : `${clientId}@${version} has no fields to bring back.`;
  }
  if (error instanceof NotUndoable) {
    const { clientId, version, obstacle } = error;
    return `${clientId}@${version} cannot be undone alone, ${UNDO_OBSTACLES[obstacle]}.`;
  }
  if (error instanceof UsedIds) return error.ids.map((id) => describeUsedId(error, id));
  if (error instanceof AmbiguousFields) return describeAmbiguity(error);
  if (error instanceof HistoryBehind) {
    const { clientId } = error;
    return [
      `The last change of ${clientId} is not in its history yet, so a new field could get an id that another one had.`,
      'Try again in a minute. If its record was lost, first publish a change without new fields: it brings the history up to date.',
    ];
  }
  if (error instanceof RolloutRunning) {
    const { clientId, percent } = error;
    return [
      `A rollout of ${clientId} runs at ${percent} %, and its candidate is based on what is live.`,
      suggesting('Finish it:', 'rollout', 'finish', clientId, '-m', 'REASON'),
      suggesting('Or discard the candidate:', 'rollout', 'stop', clientId, '-m', 'REASON'),
    ];
  }
  if (error instanceof DamagedRollout) {
    const { clientId, damage } = error;
    return [
      `The rollout of ${clientId} is damaged, so nobody gets its candidate: ${damage}.`,
      suggesting('Discard it:', 'rollout', 'stop', clientId, '-m', 'REASON'),
    ];
  }
  if (error instanceof NoRollout) return `No rollout of ${error.clientId} runs.`;
  if (error instanceof UnstorableValue) return `A value cannot be stored. ${error.reason}`;
  if (error instanceof ConfigurationConflict) return describeConflict(error);
  throw error;
}

function describeUsedId(
  { clientId, highestId }: UsedIds,
  { id, fieldName, reason, had }: UsedId,
): string {
  const field = `The new field ${JSON.stringify(shortened(fieldName, VALUE_CHARACTERS))} has the id ${JSON.stringify(id)}`;
  const why =
    reason === 'tooHigh'
      ? `${field}, far above ${highestId}, the highest id of ${clientId}`
      : `${field}, which was given before`;
  const whose =
    had === undefined
      ? ''
      : ` to ${JSON.stringify(shortened(had.fieldName, VALUE_CHARACTERS))} (${clientId}@${had.version}): customers' answers to that are stored under it`;
  return printable(`${why}${whose}. Leave out its id: it gets a new one.`);
}

const WITH_FIELDS = {
  base: 'The version that the changes began with',
  mine: 'What is to be published',
  theirs: 'The live version',
};

function describeAmbiguity({ ambiguity: { side, id } }: AmbiguousFields): string {
  const fields = id === undefined ? 'a field without an id' : `several fields with the id ${id}`;
  const from = side === 'mine' ? '' : 'Start from what is live, and repeat your changes. ';
  return printable(
    `${WITH_FIELDS[side]} has ${fields}, so no changes can be merged. ${from}Each field needs an id of its own.`,
  );
}

function describeConflict({ clientId, reason, isOfCandidate }: ConfigurationConflict): string {
  if (reason.kind === 'noBase') {
    return `${clientId} has fields already, and the file has no base to tell whether it knows them. Nothing was published.`;
  }
  if (reason.kind === 'otherClient') {
    const named = shortened(JSON.stringify(reason.named), VALUE_CHARACTERS);
    return `This is the file of ${printable(named)}. Open it there, or open it as a copy, which replaces what is live.`;
  }
  if (reason.kind === 'unknownBase') {
    return [
      `The file is based on no recorded version of ${clientId}. Nothing was published.`,
      'It comes from another client or deployment, or it is older than the history.',
      ...(reason.live ? [`Live version: ${describeVersion(reason.live)}`] : []),
    ].join('\n');
  }
  if (reason.kind === 'wasLive') {
    const { version, live } = reason;
    return [
      `This is ${clientId}@${version.version} as it was. Nothing was published.`,
      `Live version: ${live ? describeVersion(live) : 'a change that is not in the history yet'}`,
    ].join('\n');
  }
  if (reason.kind === 'noConflict' || (reason.kind === 'changedLater' && reason.unknown.length)) {
    const { unknown, conflicts } = reason;
    const names = unknown.map((id) => shortened(id, VALUE_CHARACTERS)).join(', ');
    const one = `${clientId} has no conflict ${names}. Nothing was published.`;
    if (conflicts.length === 0) return `${printable(one)} No conflict is left.`;
    return [`${printable(one)} Both sides changed:`, ...conflictLines(reason)].join('\n');
  }
  if (reason.kind === 'changedLater') {
    const which = `${clientId}@${reason.undoes} cannot be undone alone. Nothing was published.`;
    return [`${which} Later versions changed the same:`, ...conflictLines(reason)].join('\n');
  }
  const lines = describeRecentChanges(reason.since);
  // Without lines, it was changed, and changed back.
  const since = isOfCandidate ? 'the candidate was made' : 'you read it';
  const changed = [
    `${clientId} changed since ${since}. Nothing was published${lines.length > 0 ? ':' : '.'}`,
    ...lines,
  ];
  if (reason.kind === 'baseNotRecorded') {
    changed.push(
      `It cannot be merged: the content of ${clientId}@${reason.since.base.version} is not recorded.`,
    );
  }
  if (reason.kind === 'sameFields') {
    changed.push('It cannot be merged. Both sides changed:', ...conflictLines(reason));
  }
  return changed.join('\n');
}

/**
 * Describes conflicts with the options that decide them: `Membership number, maxChars: --mine
 * 2.maxChars (14) or --theirs 2.maxChars (16)`.
 */
function conflictLines(reason: ConflictReason & { readonly conflicts: readonly MergeConflict[] }) {
  const sides = reason.kind === 'changedLater' ? ['--before', '--now'] : ['--mine', '--theirs'];
  return reason.conflicts.flatMap(({ key, name, attributes }) => {
    return attributes.map((one) => {
      const { attribute } = one;
      const id = conflictId(key, attribute);
      const place = attribute === '' || attribute === key ? name : `${name}, ${attribute}`;
      const options = valuesOf(one).map(
        (value, at) => `${shellWords([sides[at] ?? '', id])}${value}`,
      );
      return printable(`  ${place}: ${options.join(' or ')}`);
    });
  });
}

/** Describes both values, in parentheses. Of a whole field, it is enough to know who removed it. */
function valuesOf({ attribute, mine, theirs }: MergeConflict['attributes'][number]): string[] {
  if (attribute !== '') return excerpts(mine, theirs).map((value) => ` (${value})`);
  const isOrder = mine === undefined && theirs === undefined;
  return [mine, theirs].map((side) => (side === undefined && !isOrder ? ' (removed)' : ''));
}

/** Writes two values. Of long ones, it leaves out what is the same before the first difference. */
function excerpts(...values: [mine: unknown, theirs: unknown]): string[] {
  const texts = values.map((value) => [...(JSON.stringify(value) ?? 'none')]);
  const difference = texts[0]?.findIndex((character, at) => character !== texts[1]?.[at]) ?? 0;
  const isLong = texts.some(({ length }) => length > VALUE_CHARACTERS);
  const start = isLong ? Math.max(0, difference - CONTEXT_CHARACTERS) : 0;
  return texts.map((text) =>
    shortened(`${start > 0 ? '…' : ''}${text.slice(start).join('')}`, VALUE_CHARACTERS),
  );
}

function describeRecentChanges({ versions, described }: RecentChanges): string[] {
  let left = MAX_SENTENCES;
  const lines = described.flatMap(({ version, sentences }) => {
    const all = sentences ?? ['Its changes were too large to be recorded.'];
    const shown = all.slice(0, left);
    left -= shown.length;
    const omitted = all.length - shown.length;
    return [
      `  ${version ? describeVersion(version) : 'a change that is not in the history yet'}`,
      ...shown.map((sentence) => `    ${printable(sentence)}`),
      ...(omitted > 0 ? [`    ${counted(omitted, 'more change')}`] : []),
    ];
  });
  const earlier = versions.length - described.filter(({ version }) => version).length;
  return [
    ...lines.map((line) => shortened(line, LINE_CHARACTERS)),
    ...(earlier > 0 ? [`  and ${counted(earlier, 'earlier change')}`] : []),
  ];
}

/**
 * Describes a version in a line: `pizza@3 at 2026-11-21T23:50:00Z, published by jane: Add Funghi`.
 */
export function describeVersion(summary: Version): string {
  const { clientId, version, at, source, by, message, isDeleted } = summary;
  const change = isDeleted ? 'removed' : 'edited';
  const how = source === 'manualEdit' ? `${change} manually` : `published by ${by}: ${message}`;
  const second = at.replace(/\.\d+/, '');
  return printable(`${clientId}@${version} at ${second}, ${how}`);
}

import { counted, shortened } from 'customer-data-api/configuration';
import type { Version } from 'customer-data-api/history';
import {
  effectSentence,
  joined,
  type Parts,
  type Sentence,
  say,
  shortenedParts,
} from 'customer-data-api/sentences';
import { shellWords, suggesting, UserError } from 'customer-data-api-deployment/program';
import { conflictId } from './configurations/merge-fields.ts';
import {
  type ConflictReason,
  type ErrorFacts,
  type MergeConflict,
  type Mistake,
  OperatorError,
  type RecentChanges,
  type UsedId,
} from './errors.ts';
import { appIdNames, conflictName, UNDO_OBSTACLES } from './words.ts';

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
  return new UserError(messageOf(error), error.code, { ...error.facts });
}

/** Words an error, in lines. */
export function messageOf({ code, facts }: OperatorError): readonly Sentence[] {
  return (MESSAGES[code] as (of: typeof facts) => readonly Sentence[])(facts);
}

/** The words of each error. */
const MESSAGES: {
  readonly [TCode in keyof ErrorFacts]: (facts: ErrorFacts[TCode]) => readonly Sentence[];
} = {
  noSuchClient: ({ clientId, wasRemoved }) =>
    wasRemoved
      ? [
          suggesting(
            say`There is no client ${clientId} any more. Create it again:`,
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
        ]
      : [say`There is no client ${clientId}.`],
  clientExists: ({ clientId }) => [say`There is a client ${clientId} already. It was not changed.`],
  conflict: ({ clientId, part }) => [
    say`Somebody else changed ${PARTS[part]}client ${clientId} at the same time. Nothing was changed: try again.`,
  ],
  noSuchAppId: ({ clientId, known, ambiguous }) => {
    if (ambiguous) {
      const { text, digits } = ambiguous;
      return [
        say`${digits.length} App-Ids of client ${clientId} are called ${text}: ${digits.join(', ')}. Name one by its digits.`,
      ];
    }
    const others = known.length === 0 ? ['none'] : say`only ${appIdNames(known)}`;
    return [say`Client ${clientId} has no such App-Id; it has ${others}.`];
  },
  lastAppId: ({ clientId }) => [
    suggesting(
      say`This is the last App-Id of client ${clientId}. Without it, every request is refused. First add another one:`,
      'keys',
      'add',
      clientId,
    ),
  ],
  noSuchVersion: ({ clientId, ...named }) => [
    'version' in named
      ? suggesting(
          say`There is no ${clientId}@${named.version}. To list the versions:`,
          'config',
          'history',
          clientId,
        )
      : say`The history of ${clientId} has no version ${named.start}, of which the file was made: it is of another client or deployment, or older than the history. Export the texts again.`,
  ],
  versionWithoutFields: ({ clientId, version, isTooLarge }) => [
    isTooLarge
      ? say`The content of ${clientId}@${version} was too large to be recorded.`
      : say`${clientId}@${version} has no fields to bring back.`,
  ],
  notUndoable: ({ clientId, version, obstacle }) => [
    say`${clientId}@${version} cannot be undone alone, ${[UNDO_OBSTACLES[obstacle]]}.`,
  ],
  usedIds: (facts) => facts.ids.map((id) => describeUsedId(facts, id)),
  invalidConfiguration: ({ ambiguity: { side, id } }) => {
    const fields =
      id === undefined ? ['a field without an id'] : say`several fields with the id ${id}`;
    const from = side === 'mine' ? '' : 'Start from what is live, and repeat your changes. ';
    return [
      say`${[WITH_FIELDS[side]]} has ${fields}, so no changes can be merged. ${[from]}Each field needs an id of its own.`,
    ];
  },
  historyBehind: ({ clientId }) => [
    say`The last change of ${clientId} is not in its history yet, so a new field could get an id that another one had.`,
    'Try again in a minute. If its record was lost, first publish a change without new fields: it brings the history up to date.',
  ],
  rolloutRunning: ({ clientId, percent }) => [
    say`A rollout of ${clientId} runs at ${percent} %, and its candidate is based on what is live.`,
    suggesting('Finish it:', 'rollout', 'finish', clientId, '-m', 'REASON'),
    suggesting('Or discard the candidate:', 'rollout', 'stop', clientId, '-m', 'REASON'),
  ],
  damagedRollout: ({ clientId, damage }) => [
    say`The rollout of ${clientId} is damaged, so nobody gets its candidate: ${[damage]}.`,
    suggesting('Discard it:', 'rollout', 'stop', clientId, '-m', 'REASON'),
  ],
  noRollout: ({ clientId }) => [say`No rollout of ${clientId} runs.`],
  moreErrors: describeRefusal,
  inputsExchanged: describeRefusal,
  unstorableValue: ({ value, reason }) => [
    say`A value cannot be stored. ${[reason ?? `${JSON.stringify(value)} has half of a character.`]}`,
  ],
  configurationConflict: describeConflict,
  usage: (facts) => [(MISTAKES[facts.mistake] as (of: Mistake) => Sentence)(facts)],
};

/** The parts of a client that others can change at the same time. */
const PARTS = {
  item: [],
  content: ['the configuration of '],
  appClients: ['the app clients of '],
  rollout: ['the rollout of '],
};

/** The words of each mistake. */
const MISTAKES: {
  readonly [TName in Mistake['mistake']]: (
    facts: Extract<Mistake, { readonly mistake: TName }>,
  ) => Sentence;
} = {
  appIdIsFingerprint: ({ clientId, fingerprint }) =>
    say`${fingerprint} is the fingerprint of an App-Id of client ${clientId}. Apps send the App-Id itself.`,
  labelTaken: ({ clientId, fingerprint, label }) =>
    say`App-Id ${fingerprint} of client ${clientId} is called ${label}. Choose another label.`,
  invalidClientId: ({ clientId }) =>
    say`${clientId} is not allowed as the id of a new client. Use a to z, A to Z, 0 to 9, ".", "-" and "_", begin with a letter or digit, and do not end with .yaml or .yml.`,
  smokeClientId: ({ clientId, prefix }) =>
    say`${clientId} is not allowed as the id of a new client. Ids that begin with ${prefix} belong to the smoke checks, and follow-on systems leave out their promo codes. Choose another id.`,
  caseIgnoredBefore: ({ clientId }) =>
    say`The case of the promo codes of ${clientId} did not count before it was removed. If it did now, customers could apply their codes again in another case. Leave out --case-sensitive-codes.`,
  unknownAppClients: ({ ids, known }) =>
    say`The deployment has no app client ${ids.join(', ')}; it has ${known.join(', ')}.`,
  noAppClientChosen: ({ known }) =>
    say`Add --app-client with the Cognito app clients that the apps of this client sign in with. The deployment has ${known.join(', ')}.`,
  invalidDevice: ({ device, problem }) => say`The device ${JSON.stringify(device)} ${[problem]}.`,
  uselessRollout: ({ damage = 'at 0 %, name a device' }) =>
    `Nobody would get the candidate: ${damage}.`,
  shareNotLarger: ({ percent }) =>
    `The rollout runs at ${percent} %. Name a larger share, finish it or stop it.`,
};

function describeRefusal({ clientId, refusal }: ErrorFacts['moreErrors']): Sentence[] {
  if ('errorsInDraft' in refusal) {
    return [`The draft has ${counted(refusal.errorsInDraft, 'error')}.`];
  }
  if ('tooLarge' in refusal) {
    const remedy = refusal.isBesideRollout ? ', or end the rollout' : '';
    return [say`${clientId} ${[refusal.tooLarge, remedy]}.`];
  }
  const sentence = effectSentence(refusal.effect);
  if (refusal.code === 'moreErrors') return [sentence];
  return [[...sentence, ' Leave each input in its place, or make a new field.']];
}

function quoted(text: string): string {
  return JSON.stringify(shortened(text, VALUE_CHARACTERS));
}

function describeUsedId(
  { clientId, highestId }: ErrorFacts['usedIds'],
  { id, fieldName, reason, had }: UsedId,
): Parts {
  const field = say`The new field ${quoted(fieldName)} has the id ${JSON.stringify(id)}`;
  const why =
    reason === 'tooHigh'
      ? say`far above ${highestId}, the highest id of ${clientId}`
      : ['which was given before'];
  const whose =
    had === undefined
      ? []
      : say` to ${quoted(had.fieldName)} (${clientId}@${had.version}): customers' answers to that are stored under it`;
  return say`${field}, ${why}${whose}. Leave out its id: it gets a new one.`;
}

const WITH_FIELDS = {
  base: 'The version that the changes began with',
  mine: 'What is to be published',
  theirs: 'The live version',
};

function describeConflict({
  clientId,
  reason,
  isOfCandidate,
}: ErrorFacts['configurationConflict']): Parts[] {
  if (reason.kind === 'noBase') {
    return [
      say`${clientId} has fields already, and the file has no base to tell whether it knows them. Nothing was published.`,
    ];
  }
  if (reason.kind === 'otherClient') {
    const named = shortened(JSON.stringify(reason.named), VALUE_CHARACTERS);
    return [
      say`This is the file of ${named}. Open it there, or open it as a copy, which replaces what is live.`,
    ];
  }
  if (reason.kind === 'unknownBase') {
    return [
      say`The file is based on no recorded version of ${clientId}. Nothing was published.`,
      ['It comes from another client or deployment, or it is older than the history.'],
      ...(reason.live ? [say`Live version: ${describeVersion(reason.live)}`] : []),
    ];
  }
  if (reason.kind === 'wasLive') {
    const { version, live } = reason;
    return [
      say`This is ${clientId}@${version.version} as it was. Nothing was published.`,
      say`Live version: ${live ? describeVersion(live) : UNRECORDED}`,
    ];
  }
  if (reason.kind === 'noConflict' || (reason.kind === 'changedLater' && reason.unknown.length)) {
    const { unknown, conflicts } = reason;
    const names = unknown.map((id) => say`${shortened(id, VALUE_CHARACTERS)}`);
    const one = say`${clientId} has no conflict ${joined(names, ', ')}. Nothing was published.`;
    if (conflicts.length === 0) return [say`${one} No conflict is left.`];
    return [say`${one} Both sides changed:`, ...conflictLines(reason)];
  }
  if (reason.kind === 'changedLater') {
    return [
      say`${clientId}@${reason.undoes} cannot be undone alone. Nothing was published. Later versions changed the same:`,
      ...conflictLines(reason),
    ];
  }
  const lines = describeRecentChanges(reason.since);
  // Without lines, it was changed, and changed back.
  const since = isOfCandidate ? 'the candidate was made' : 'you read it';
  const end = lines.length > 0 ? ':' : '.';
  const changed = [
    say`${clientId} changed since ${[since]}. Nothing was published${[end]}`,
    ...lines,
  ];
  if (reason.kind === 'baseNotRecorded') {
    const { version } = reason.since.base;
    changed.push(say`It cannot be merged: the content of ${clientId}@${version} is not recorded.`);
  }
  if (reason.kind === 'sameFields') {
    changed.push(['It cannot be merged. Both sides changed:'], ...conflictLines(reason));
  }
  return changed;
}

/**
 * Describes conflicts with the options that decide them: `Membership number, maxChars: --mine
 * 2.maxChars (14) or --theirs 2.maxChars (16)`.
 */
function conflictLines(
  reason: ConflictReason & { readonly conflicts: readonly MergeConflict[] },
): Parts[] {
  const sides = reason.kind === 'changedLater' ? ['--before', '--now'] : ['--mine', '--theirs'];
  return reason.conflicts.flatMap((conflict) => {
    const { key, attributes } = conflict;
    return attributes.map((one) => {
      const { attribute } = one;
      const id = conflictId(key, attribute);
      const place = attribute === '' || attribute === key ? [] : say`, ${attribute}`;
      const options = valuesOf(one).map(
        (value, at) => say`${shellWords([sides[at] ?? '', id])}${value}`,
      );
      return say`  ${conflictName(conflict)}${place}: ${joined(options, ' or ')}`;
    });
  });
}

/** Describes both values, in parentheses; for a whole field, only on which side it was removed. */
function valuesOf({ attribute, mine, theirs }: MergeConflict['attributes'][number]): Parts[] {
  if (attribute !== '') return excerpts(mine, theirs).map((value) => say` (${value})`);
  const isOrder = mine === undefined && theirs === undefined;
  return [mine, theirs].map((side) => (side === undefined && !isOrder ? [' (removed)'] : []));
}

/** Writes two values. If they are long, it leaves out what is the same before they differ. */
function excerpts(...values: [mine: unknown, theirs: unknown]): string[] {
  const texts = values.map((value) => [...(JSON.stringify(value) ?? 'none')]);
  const difference = texts[0]?.findIndex((character, at) => character !== texts[1]?.[at]) ?? 0;
  const isLong = texts.some(({ length }) => length > VALUE_CHARACTERS);
  const start = isLong ? Math.max(0, difference - CONTEXT_CHARACTERS) : 0;
  return texts.map((text) =>
    shortened(`${start > 0 ? '…' : ''}${text.slice(start).join('')}`, VALUE_CHARACTERS),
  );
}

/** Names a change that is live, and in no version yet. */
const UNRECORDED = ['a change that is not in the history yet'];

function describeRecentChanges({ versions, described }: RecentChanges): Parts[] {
  let left = MAX_SENTENCES;
  const lines = described.flatMap(({ version, effects }) => {
    const all = effects?.map((one) => effectSentence(one)) ?? [
      ['Its changes were too large to be recorded.'],
    ];
    const shown = all.slice(0, left);
    left -= shown.length;
    const omitted = all.length - shown.length;
    return [
      say`  ${version ? describeVersion(version) : UNRECORDED}`,
      ...shown.map((sentence) => say`    ${sentence}`),
      ...(omitted > 0 ? [[`    ${counted(omitted, 'more change')}`]] : []),
    ];
  });
  const earlier = versions.length - described.filter(({ version }) => version).length;
  return [
    ...lines.map((line) => shortenedParts(line, LINE_CHARACTERS)),
    ...(earlier > 0 ? [[`  and ${counted(earlier, 'earlier change')}`]] : []),
  ];
}

/**
 * Describes a version in a line: `pizza@3 at 2026-11-21T23:50:00Z, published by jane: Add Funghi`.
 */
export function describeVersion(summary: Version): Parts {
  const { clientId, version, at, source, by = '-', message = '', isDeleted } = summary;
  const edit = isDeleted ? 'removed' : 'edited';
  const how = source === 'manualEdit' ? [`${edit} manually`] : say`published by ${by}: ${message}`;
  return say`${clientId}@${version} at ${[at.replace(/\.\d+/, '')]}, ${how}`;
}

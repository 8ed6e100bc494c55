import type { ConfigsItem } from 'customer-data-api/clients';
import { shareText, shortened } from 'customer-data-api/configuration';
import { harmIn } from 'customer-data-api/effects';
import type { Version } from 'customer-data-api/history';
import { type Deployment, inOneLine } from 'customer-data-api-deployment';
import { appsHaveItBy, utcTime } from 'customer-data-api-deployment/outputs';
import {
  durationOf,
  type Line,
  noteTo,
  printable,
  readTextFile,
  suggested,
  type Terminal,
  UserError,
} from 'customer-data-api-deployment/program';
import type { Change } from '../../change.ts';
import { describeVersion, withMessage } from '../../error-messages.ts';
import { ConfigurationConflict, type ConflictReason } from '../../errors.ts';
import type { ChangeOptions } from '../../options.ts';
import { type CommandContext, type Rendering, runChange } from '../../run-change.ts';
import { checkText, findingsTo, printFindings, printFirst } from '../check.ts';
import { readDraft, readText } from '../configuration-file.ts';
import { type Differences, diffConfigurations } from '../diff-configurations.ts';
import { type ListedVersion, versionBefore } from '../history.ts';
import type { Decisions } from '../merge-fields.ts';
import {
  type ContentDraft,
  concernsRollout,
  type Draft,
  type Plan,
  type Restoration,
  type RolloutChange,
  type Step,
  startedBy,
} from '../plan-change.ts';
import {
  type DonePublication,
  publication,
  type ShownPublication,
  StoppedPublication,
} from '../publication.ts';
import { type Review, reviewChange } from '../review-change.ts';
import type { NewRollout } from '../rollouts.ts';
import { atFullShare } from '../share.ts';
import {
  type ConfigurationTables,
  fileOf,
  readFieldsOf,
  readStored,
} from '../stored-configuration.ts';
import { madeOf, mergeTexts } from '../texts-csv.ts';
import { differenceLines, differencesToJson } from './diff.ts';
import { type UpdatedFile, updateFile } from './update-file.ts';

/** The options of a command that changes a configuration. */
export interface PublishOptions extends ChangeOptions, Decisions {
  /** Present, unless it is a dry run. */
  readonly message?: string;
  readonly merge?: boolean;
  /** Whether the file is of another deployment or client. */
  readonly asCopy?: boolean;
  /** The rollout to start. */
  readonly starts?: NewRollout;
  /** Whether to discard the candidate of the rollout that runs. */
  readonly stopRollout?: boolean;
  /** An alarm that must be off before the write. */
  readonly unlessAlarm?: string;
}

/** The translations of a language, in a file of CSV. */
interface Spreadsheet {
  readonly clientId: string;
  readonly language: string;
  readonly file: string;
}

/** What a command publishes: a file, translations, or what is stored. */
export type Source = string | Spreadsheet | Restoration | RolloutChange;

/** A file as it was read. */
interface ReadFile {
  readonly file: string;
  readonly text: string;
  /** Why it is refused, unless a merge repairs it. */
  readonly refusal: UserError | undefined;
}

/** What is published, once its file is read. */
type Content = ReadFile | Exclude<Source, string>;

/** What a command would do: it publishes, or after a merge only brings its file up to date. */
interface ShownCommand extends ShownPublication<Review> {
  readonly publishes: boolean;
  readonly differences: Differences;
}

interface DoneCommand extends Partial<DonePublication> {
  readonly file?: UpdatedFile | undefined;
  /** The version that was live before. */
  readonly previous?: ListedVersion | undefined;
}

/**
 * Publishes a configuration file, translations or, again, a version, or changes a rollout. Prints
 * the version that it becomes.
 *
 * @throws UserError with the outcome: whether the change was published, and how to go on after a
 *   conflict.
 */
export async function publishConfiguration(
  terminal: Terminal,
  source: Source,
  options: PublishOptions,
): Promise<void> {
  const isFile = typeof source === 'string';
  try {
    const content = isFile ? await readAndCheck(terminal, source, options) : source;
    const words = rendering(terminal, content, options);
    const change = publicationOf(content, options);
    await runChange(terminal, options, change, words);
  } catch (error) {
    throw withOutcome(error, isFile && !options.asCopy ? source : undefined);
  }
}

/** Reads a file, and prints what is wrong with it. */
async function readAndCheck(
  terminal: Terminal,
  file: string,
  { json, merge }: PublishOptions,
): Promise<ReadFile> {
  const note = noteTo(terminal);
  const text = await readText(file);
  return { file, text, refusal: checkText(file, text, firstFindingsTo(note, json), note, merge) };
}

/** The publication of a command: it brings the file up to date as soon as the change is live. */
function publicationOf(
  content: Content,
  options: PublishOptions,
): Change<ShownCommand, DoneCommand, CommandContext> {
  const review = (plan: Plan) => {
    // An earlier merge may have brought errors that others have repaired since.
    if ('text' in content && content.refusal && !plan.mergedWith) throw content.refusal;
    return reviewChange(plan);
  };
  const wanted = (tables: ConfigurationTables) => wantedOf(tables, content, options);
  const { show, apply } = publication(wanted, review, options);
  return {
    async show(context) {
      const shown = await show(context);
      const { before, after, mergedWith } = shown.plan;
      const differences = diffConfigurations(
        { name: before.clientId, content: fileOf(before) },
        { name: resultName(content, shown.plan), content: fileOf(after) },
        shown.review.effects,
      );
      const publishes = shown.hasEffect;
      const updates = 'text' in content && !!options.merge && mergedWith !== undefined;
      return { ...shown, publishes, hasEffect: publishes || updates, differences };
    },
    async apply(context, shown, by) {
      let file: UpdatedFile | undefined;
      const onLive = async (plan: Plan) => {
        if ('text' in content && !options.asCopy)
          file = await updateFile(content.file, content.text, plan);
      };
      const { clientId } = shown.plan.before;
      const stale = () => (file?.isStale ? new UserError('', 'incomplete') : undefined);
      if (!shown.publishes) {
        await onLive(shown.plan);
        return { file, failure: stale() };
      }
      const done = await apply({ ...context, onLive }, shown, by);
      const { version, failure } = done;
      if (failure) return { ...done, file };
      const lack = version ? stale() : notRecorded(clientId);
      // Worth knowing, and no more: the change is published.
      const previous =
        version && (await versionBefore(context.tables, version).catch(() => undefined));
      const stopped = lack && new StoppedPublication(clientId, 'published', lack);
      return { ...done, file, previous, failure: stopped };
    },
  };
}

function notRecorded(clientId: string): UserError {
  return new UserError(
    `The version was not recorded within 30 seconds. Look for it later: ${suggested('config', 'history', clientId)}`,
    'versionNotRecorded',
  );
}

/** How a publication is shown. */
function rendering(
  terminal: Terminal,
  content: Content,
  { asCopy, dryRun, json, merge }: PublishOptions,
): Rendering<ShownCommand, DoneCommand> {
  return {
    awaited: { apply: 'Waiting for the version' },
    shown: ({ publishes, plan, review, differences, failure }) => {
      const ids = changedIdLines(plan);
      if (!publishes) return [...ids, whyNothing(nameOf(content), plan, merge)];
      const { step, mergedWith = [] } = plan;
      const isMerged = mergedWith.length > 0;
      // The findings of a file were printed with their lines; a stop changes nothing that is live.
      const hasFindings = (isMerged || !('text' in content)) && step.kind !== 'discard';
      return [
        ...(isMerged ? ['Merged with these changes:'] : []),
        ...mergedWith.map((version) => `  ${describeVersion(version)}`),
        ...ids,
        ...(hasFindings ? findingLines(resultName(content, plan), review, json) : []),
        ...(failure
          ? []
          : differenceLines(differences, dryRun ? terminal.stdout : terminal.stderr)),
      ];
    },
    would: ({ publishes, plan, failure }) =>
      failure
        ? []
        : [
            ...(publishes && concernsRollout(plan.step) ? [`Would ${stepText(plan)}.`] : []),
            'Dry run: nothing was changed.',
          ],
    question: ({ publishes, plan }) => (publishes ? `${capitalized(stepText(plan))}?` : undefined),
    done: ({ file, version, previous }, { outputs }, { plan }) => [
      ...(file ? [file.note] : []),
      ...(version ? [publishedText(plan, version, previous, outputs)] : []),
    ],
    result: ({ version }) => (version ? [`${version.clientId}@${version.version}`] : []),
    next: (_, { plan: { step, before } }) => [
      ...((step.kind === 'publish' && step.ends === 'finish') || asCopy
        ? [
            `Before you edit it again, write the configuration into a new file: ${suggested('config', 'show', before.clientId, 'FILE')}`,
          ]
        : []),
      ...(step.kind === 'rollOut' ? atFullShare(before.clientId, step.rollout) : []),
    ],
    json: ({ plan, review, differences }, done) => {
      const { clientId } = plan.before;
      if (done?.lastChange) return done.version ?? { clientId, version: null };
      const { effects, findings } = review;
      const harm = harmIn(effects);
      const { changedIds } = plan;
      const started = startedBy(plan.step);
      const rollout = started && { percent: started.percent, devices: started.devices };
      const shown = { harm, findings, changedIds, rollout };
      return { clientId, ...differencesToJson(differences), ...shown };
    },
  };
}

/** Reads what is to be published. */
async function wantedOf(
  tables: ConfigurationTables,
  content: Content,
  {
    asCopy: copies,
    merge: merges = false,
    mine = [],
    theirs = [],
    starts,
    stopRollout,
  }: PublishOptions,
): Promise<Draft> {
  const ends = stopRollout ? ('stop' as const) : undefined;
  const decisions = { mine, theirs };
  if ('text' in content) {
    return { ...draftIn(content), merges, copies, decisions, ends, ...(starts && { starts }) };
  }
  if ('file' in content) return { ...(await draftWithTexts(tables, content)), ends };
  return { ...content, ends, merges, decisions };
}

function nameOf(content: Content): string {
  if ('file' in content) return content.file;
  return 'restores' in content
    ? `${content.clientId}@${content.restores}`
    : `The candidate of ${content.clientId}`;
}

function resultName(content: Content, { mergedWith = [] }: Plan): string {
  return mergedWith.length > 0 ? `${nameOf(content)}, merged` : nameOf(content);
}

function draftIn({ file, text }: ReadFile): ContentDraft {
  return readDraft(file, text) as ConfigsItem & ContentDraft;
}

/** Merges translations into what is live. */
async function draftWithTexts(
  tables: ConfigurationTables,
  { clientId, language, file }: Spreadsheet,
): Promise<ContentDraft> {
  const csv = await readTextFile('The spreadsheet', file);
  const live = await readStored(tables, clientId);
  const start = madeOf(csv, language);
  const base = start === undefined ? undefined : await readFieldsOf(tables, live, start);
  const { fields, findings } = mergeTexts(live.fields, language, csv, base);
  if (findings.length > 0) {
    const lines = findings.map(({ row, message }) => `${file}:${row} ${printable(message)}.`);
    throw new UserError(lines.join('\n'), 'invalidConfiguration');
  }
  return { clientId, base: live.digest, fields, language: live.written.language, merges: true };
}

/** The longest caption in a line about ids. */
const CAPTION_CHARACTERS = 60;

function quoted(caption: string): string {
  return JSON.stringify(shortened(caption, CAPTION_CHARACTERS));
}

/** Says which fields of a copy have other ids here, and why. */
function changedIdLines({ before, changedIds = [] }: Plan): Line[] {
  if (changedIds.length === 0) return [];
  const { clientId } = before;
  return [
    'Other ids than in the file, because these were given to other questions:',
    ...changedIds.map(({ fieldName, from, to, had }) => {
      const given = had ? `${quoted(had.fieldName)} in ${clientId}@${had.version}` : 'another one';
      return printable(`  ${quoted(fieldName)}: ${to} instead of ${from}, which is ${given}`);
    }),
    'If a question was only reworded, first publish its new caption here.',
  ];
}

/** The findings that a person is shown before a publication. */
const SHOWN_FINDINGS = 20;

function firstFindingsTo(note: (line: string) => void, json = false) {
  return json ? findingsTo(note, json) : printFirst(SHOWN_FINDINGS, findingsTo(note));
}

/** The findings of what is in no file: the result of a merge, a rollback or a rollout. */
function findingLines(name: string, review: Review, json: boolean | undefined): Line[] {
  const lines: Line[] = [];
  // JSON stays in one line.
  const add = (line: string) => void lines.push(json ? [line] : line);
  printFindings(name, review, firstFindingsTo(add, json), add);
  return lines;
}

/** Says what a plan does, as a question and a dry run begin. */
function stepText({ step, before: { clientId, rollout: running } }: Plan): string {
  if (step.kind === 'discard') {
    return running
      ? `discard the candidate of ${clientId}, which goes to ${shareText(running)}`
      : `discard the damaged rollout of ${clientId}`;
  }
  if (step.kind === 'rollOut') {
    const instead = running ? `, instead of ${shareText(running)}` : '';
    const all = step.rollout.percent === 100 ? ' that send an id' : '';
    return `roll this out to ${shareText(step.rollout)} of ${clientId}${all}${instead}`;
  }
  return running && step.ends === 'finish'
    ? `publish this for all devices of ${clientId}, also those without an id, instead of ${shareText(running)}`
    : `publish this for ${clientId}`;
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function whyNothing(name: string, { after, mergedWith, lowerId }: Plan, merges = false): string {
  if (mergedWith?.length === 0) {
    const update = merges ? '' : ' To bring the file up to date, add --merge.';
    return `${name} is already live. Nothing was published.${update}`;
  }
  if (mergedWith) return `Every change in ${name} is live already. Nothing was published.`;
  if (lowerId === undefined) return `${name} is already live. Nothing was changed.`;
  const kept = after.written.lastFieldId;
  return `The fields of ${name} are live already. lastFieldId stays ${kept}, so that no id is given twice. Nothing was changed.`;
}

/** Says which version a change became, and when apps have it. */
function publishedText(
  { step }: Plan,
  { clientId, version, at }: Version,
  previous: ListedVersion | undefined,
  outputs: Deployment['outputs'],
): string {
  const sentences = [
    `${doneText(step)} ${clientId}@${version}.`,
    `Apps have it by ${utcTime(appsHaveItBy(outputs, at))}.`,
  ];
  if (step.kind === 'publish' && previous?.liveFor !== undefined) {
    const lived = durationOf(previous.liveFor * 1000);
    sentences.push(`${clientId}@${previous.version} was live for ${lived}.`);
  }
  return sentences.join(' ');
}

function doneText(step: Step): string {
  if (step.kind === 'discard') return 'The candidate is discarded:';
  return step.kind === 'rollOut' ? `Rolled out to ${shareText(step.rollout)} as` : 'Published as';
}

/**
 * Words the error of a publication, or one before or after it: how far it came, or how to go on
 * after a conflict.
 *
 * @param file the file that was to be published; undefined for a rollback.
 */
function withOutcome(error: unknown, file?: string): unknown {
  const stopped = error instanceof StoppedPublication ? error : undefined;
  const cause = stopped ? stopped.cause : error;
  const failure = inOneLine(withMessage(cause));
  if (!(failure instanceof UserError)) return failure;
  // It says so.
  if (failure.code === 'notConfirmed') return failure;
  const outcome =
    cause instanceof ConfigurationConflict ? stepsAfter(cause, file) : outcomeOf(stopped, file);
  failure.message = [failure.message, outcome].filter(Boolean).join('\n');
  return failure;
}

function outcomeOf(stopped: StoppedPublication | undefined, file: string | undefined): string {
  const { progress = 'nothing', clientId = '' } = stopped ?? {};
  if (progress === 'nothing') return 'Nothing was published.';
  if (progress === 'published') return 'It is published.';
  const unknown = `Could not confirm whether it was published. To find out: ${suggested('config', 'history', clientId)}`;
  if (file === undefined) return unknown;
  return `${unknown}\nBefore you edit the file, run this command again with --merge. It publishes nothing twice.`;
}

/** How to go on, by what a merge would do. */
const AFTER_CHANGE = {
  possible: 'Your changes do not clash with these: add --merge to keep both.',
  needless: 'There is nothing left to publish. To bring the file up to date, add --merge.',
  unknown: 'Run the command again to see what it would change now.',
};

function stepsAfter({ clientId, reason }: ConfigurationConflict, file: string | undefined): string {
  if (reason.kind === 'wasLive') return stepsBack(clientId, reason);
  const steps: string[] = [];
  const { base, versions: [newest] = [] } = 'since' in reason ? reason.since : {};
  if (base && newest) {
    const sides = [base, newest].map(({ version }) => `${clientId}@${version}`);
    steps.push(`To see the lines: ${suggested('config', 'diff', ...sides)}`);
  }
  const show = suggested('config', 'show', clientId, 'FILE');
  const stop = `To discard the candidate: ${suggested('rollout', 'stop', clientId, '-m', 'REASON')}`;
  const again =
    file === undefined
      ? stop
      : `Write the configuration into a new file, and repeat all your changes there. Leave out the ids of new fields: ${show}`;
  const isDecidable =
    'conflicts' in reason && reason.conflicts.every(({ key }) => key !== undefined);
  if (reason.kind === 'changed') steps.push(AFTER_CHANGE[reason.merge ?? 'unknown']);
  else if (isDecidable && reason.conflicts.length > 0) {
    steps.push('Add --merge and, for each of them, one of its two options.');
    if (file === undefined) steps.push(stop);
  } else if (reason.kind === 'noConflict') steps.push('Leave out --mine and --theirs.');
  else {
    steps.push(again);
    const isOther = reason.kind === 'noBase' || reason.kind === 'unknownBase';
    if (isOther && file !== undefined) {
      steps.push(
        'If it comes from another deployment or client, add --as-copy: it replaces what is live.',
      );
    }
  }
  return steps.join('\n');
}

/** How to go on with a file that was live. */
function stepsBack(
  clientId: string,
  { version, live, isRolledOut }: ConflictReason & { readonly kind: 'wasLive' },
): string {
  const name = `${clientId}@${version.version}`;
  const show = suggested('config', 'show', clientId, 'FILE');
  const stop = isRolledOut ? ['--stop-rollout'] : [];
  const steps = version.isTooLarge
    ? [
        'It was too large to be recorded, so it cannot be rolled back to.',
        `To have it back, write what is live into a new file, and replace its fields with yours: ${show}`,
      ]
    : [
        `To have it back: ${suggested('config', 'rollback', name, ...stop, '-m', 'REASON')}`,
        `To change what is live, write it into a new file: ${show}`,
      ];
  const sides = live && [name, `${clientId}@${live.version}`];
  if (sides && !version.isTooLarge)
    steps.unshift(`To see the lines: ${suggested('config', 'diff', ...sides)}`);
  return steps.join('\n');
}

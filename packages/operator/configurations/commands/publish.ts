import type { ConfigsItem } from 'customer-data-api/clients';
import { harmIn } from 'customer-data-api/effects';
import type { Version } from 'customer-data-api/history';
import { author, type Deployment, findDeploymentToChange } from 'customer-data-api-deployment';
import { appsHaveItBy, utcTime } from 'customer-data-api-deployment/outputs';
import {
  durationOf,
  noteTo,
  printable,
  printTo,
  readTextFile,
  suggested,
  type Terminal,
  UserError,
  whileWaiting,
} from 'customer-data-api-deployment/program';
import type { Authorship } from '../../clients/configs-table.ts';
import { confirm } from '../../confirm.ts';
import { describeVersion } from '../../error-messages.ts';
import type { ChangeOptions } from '../../options.ts';
import { digestIn } from '../base.ts';
import { diffConfigurations } from '../diff-configurations.ts';
import { versionBefore } from '../listed-versions.ts';
import type { Draft, Plan, Publication, Restoration, RolloutChange } from '../plan-change.ts';
import { publish } from '../publish.ts';
import { type Review, reviewChange } from '../review-change.ts';
import { expectQuietAlarms, waitWhileQuiet } from '../rollout-alarm.ts';
import { type NewRollout, rolloutIn } from '../rollouts.ts';
import { type ConfigurationTables, fileOf, readStored } from '../stored-configuration.ts';
import { configurationTables } from '../tables.ts';
import { mergeTexts } from '../texts-csv.ts';
import { checkText, findingsTo, firstOf, printFindings } from './check.ts';
import { readDraft, readText } from './draft.ts';
import { differencesToJson, printDifferences } from './print-differences.ts';
import { withOutcome } from './publication-outcome.ts';
import { shareText } from './rollout-text.ts';
import { updateFile } from './update-file.ts';

/** The options of a command that changes a configuration. */
export interface PublishOptions extends ChangeOptions {
  /** Present, unless it is a dry run. */
  readonly message?: string;
  readonly merge?: boolean;
  /** The rollout to start. */
  readonly starts?: NewRollout;
  /** Whether to discard the candidate of the rollout that runs. */
  readonly stopRollout?: boolean;
  /** An alarm that must be quiet, besides that of the rollout. */
  readonly unlessAlarm?: string;
}

/** The translations of a language, in a file of CSV. */
export interface Spreadsheet {
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

/** A publication of a command: what is published, where and how. */
interface Task {
  readonly terminal: Terminal;
  readonly deployment: Deployment;
  readonly tables: ConfigurationTables;
  readonly what: ReadFile | Exclude<Source, string>;
  readonly options: PublishOptions;
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
    const what = isFile ? await readAndCheck(terminal, source, options) : source;
    const deployment = await findDeploymentToChange(options);
    using tables = configurationTables(deployment.outputs);
    const task: Task = { terminal, deployment, tables, what, options };
    const { plan, review } = await publish(tables, await draftOf(task), {
      review: (planned) => reviewFor(task, planned),
      approve: (planned, reviewed) => approve(task, planned, reviewed),
      wait: (planned, recorded, { by }) =>
        report(task, planned, () => waitWhileQuiet(tables, deployment, planned, by, recorded)),
    });
    if (!review.hasEffect) await reportNothing(task, plan);
  } catch (error) {
    throw withOutcome(error, isFile ? source : undefined);
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

async function draftOf({ tables, what, options }: Task): Promise<Publication> {
  const { merge: merges = false, starts, stopRollout } = options;
  const ends = stopRollout ? ('stop' as const) : undefined;
  if ('text' in what) return { ...draftIn(what), merges, ends, ...(starts && { starts }) };
  if ('file' in what) return { ...(await draftWithTexts(tables, what)), ends };
  return { ...what, ends, merges };
}

function nameOf(what: Task['what']): string {
  if ('file' in what) return what.file;
  return 'restores' in what
    ? `${what.clientId}@${what.restores}`
    : `The candidate of ${what.clientId}`;
}

function draftIn({ file, text }: ReadFile): Draft {
  const draft = readDraft(file, text) as ConfigsItem & Draft;
  return { ...draft, base: digestIn(draft.base) };
}

/** Merges translations into what is live. */
async function draftWithTexts(
  tables: ConfigurationTables,
  { clientId, language, file }: Spreadsheet,
): Promise<Draft> {
  const csv = await readTextFile('The spreadsheet', file);
  const { digest, fields: live, written } = await readStored(tables, clientId);
  const { fields, findings } = mergeTexts(live, language, csv);
  if (findings.length > 0) {
    const lines = findings.map(({ row, message }) => `${file}:${row} ${printable(message)}.`);
    throw new UserError(lines.join('\n'), 'invalidConfiguration');
  }
  return { clientId, base: digest, fields, language: written.language, merges: true };
}

/** The findings that a person is shown before a publication. */
const SHOWN_FINDINGS = 20;

function firstFindingsTo(note: (line: string) => void, json = false) {
  return json ? findingsTo(note, json) : firstOf(SHOWN_FINDINGS, findingsTo(note));
}

async function reviewFor({ deployment, what, options }: Task, plan: Plan): Promise<Review> {
  // An earlier merge may have brought errors that others have repaired since.
  if ('text' in what && what.refusal && !plan.mergedWith) throw what.refusal;
  await expectQuietAlarms(deployment, plan, options.unlessAlarm);
  return reviewChange(plan);
}

/**
 * Shows a planned change with the findings about its result, and asks for it.
 *
 * @returns undefined for a dry run.
 * @throws UserError if the service would leave out more of the new configuration than of the live
 *   one, or the answer is no.
 */
async function approve(
  { terminal, deployment, what, options }: Task,
  plan: Plan,
  review: Review,
): Promise<Authorship | undefined> {
  const { yes, dryRun, json, message = '', unlessAlarm } = options;
  const note = noteTo(terminal);
  const { before, after, mergedWith } = plan;
  const { clientId } = before;
  const { effects, refusal } = review;
  const harm = harmIn(effects);
  if (mergedWith) note('Merged with these changes:');
  for (const version of mergedWith ?? []) note(`  ${describeVersion(version)}`);
  const result = mergedWith ? `${nameOf(what)}, merged` : nameOf(what);
  // The findings of a file were printed with their lines, and a stop changes nothing that is live.
  if ((mergedWith || !('text' in what)) && after !== before) {
    printFindings(result, review, firstFindingsTo(note, json), note);
  }
  if (refusal !== undefined) throw new UserError(refusal, 'moreErrors');
  const differences = diffConfigurations(
    { name: clientId, content: fileOf(before) },
    { name: result, content: fileOf(after) },
    effects,
  );
  if (differences.lines.length > 0) printDifferences(differences, terminal.stderr);
  if (dryRun) {
    if (json) {
      const { changes, lines } = differencesToJson(differences);
      printTo(terminal)(JSON.stringify({ clientId, changes, harm, lines }));
    }
    note('Dry run: nothing was changed.');
    return undefined;
  }
  const isConfirmed = await confirm(terminal, {
    deployment,
    question: questionOf(plan),
    typed: harm.length > 0 ? clientId : undefined,
    isAnswered: yes,
  });
  if (!isConfirmed) throw new UserError('', 'notConfirmed');
  // An alarm may have gone on while somebody read the question.
  await expectQuietAlarms(deployment, plan, unlessAlarm);
  return { by: await author(deployment), message };
}

function questionOf({ before, after, starts }: Plan): string {
  const { clientId } = before;
  const running = rolloutIn(before.rollout);
  if (after === before && !running) return `Discard the damaged rollout of ${clientId}?`;
  if (starts) {
    const instead = running ? `, instead of ${shareText(running)}` : '';
    return `Roll this out to ${shareText(starts)} of ${clientId}${instead}?`;
  }
  return running && after === before
    ? `Discard the candidate of ${clientId}, which goes to ${shareText(running)}?`
    : `Publish this for ${clientId}?`;
}

/** Brings the file up to date, waits for the version, and says what to do next. */
async function report(
  task: Task,
  plan: Plan,
  recorded: () => Promise<Version | undefined>,
): Promise<Version | undefined> {
  const { terminal } = task;
  const isCurrent = await updateFileOf(task, plan);
  const version = await whileWaiting(terminal, 'Waiting for the version', recorded);
  await printVersion(task, plan, version);
  if (plan.ends === 'finish') {
    const show = suggested('config', 'show', plan.before.clientId, 'FILE');
    noteTo(terminal)(`Before you edit it again, write the configuration into a new file: ${show}`);
  }
  if (!isCurrent) throw new UserError('', 'incomplete');
  return version;
}

/** Says why there is nothing to publish. After a merge, the file is brought up to date. */
async function reportNothing(task: Task, plan: Plan): Promise<void> {
  const { terminal, what, options } = task;
  noteTo(terminal)(whyNothing(nameOf(what), plan));
  if (!plan.mergedWith || options.dryRun) return;
  if (!(await updateFileOf(task, plan))) throw new UserError('', 'incomplete');
}

async function updateFileOf({ terminal, what }: Task, plan: Plan): Promise<boolean> {
  return !('text' in what) || updateFile(what.file, what.text, plan, noteTo(terminal));
}

function whyNothing(name: string, { after, mergedWith, lowerId }: Plan): string {
  if (mergedWith) return `Every change in ${name} is live already. Nothing was published.`;
  if (lowerId === undefined) return `${name} is already live. Nothing was changed.`;
  const kept = after.written.lastFieldId;
  return `The fields of ${name} are live already. lastFieldId stays ${kept}, so that no id is given twice. Nothing was changed.`;
}

/**
 * Prints the version of a change, and when apps have it.
 *
 * @throws UserError if it was not recorded within half a minute.
 */
async function printVersion(
  { terminal, deployment: { outputs }, tables, options: { json } }: Task,
  { before, after, starts }: Plan,
  version: Version | undefined,
): Promise<void> {
  const { clientId } = before;
  if (!version) {
    throw new UserError(
      `The version was not recorded within 30 seconds. Look for it later: ${suggested('config', 'history', clientId)}`,
      'versionNotRecorded',
    );
  }
  const time = utcTime(appsHaveItBy(outputs, version.at));
  const published = after === before ? 'The candidate is discarded:' : 'Published as';
  const done = starts ? `Rolled out to ${shareText(starts)} as` : published;
  const sentences = [`${done} ${clientId}@${version.version}.`, `Apps have it by ${time}.`];
  // Worth knowing, and no more: the change is published.
  const previous = await versionBefore(tables, version).catch(() => undefined);
  if (!starts && after !== before && previous?.liveFor !== undefined) {
    const lived = durationOf(previous.liveFor * 1000);
    sentences.push(`${clientId}@${previous.version} was live for ${lived}.`);
  }
  noteTo(terminal)(sentences.join(' '));
  printTo(terminal)(json ? JSON.stringify(version) : `${clientId}@${version.version}`);
}

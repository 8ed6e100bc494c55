import type { ConfigsItem, LastChange } from 'customer-data-api/clients';
import {
  author,
  type Deployment,
  findDeploymentToChange,
  inOneLine,
} from 'customer-data-api-deployment';
import { appsHaveItBy, utcTime } from 'customer-data-api-deployment/outputs';
import {
  durationOf,
  noteTo,
  printTo,
  suggested,
  type Terminal,
  UserError,
  whileWaiting,
} from 'customer-data-api-deployment/program';
import { confirm } from '../../confirm.ts';
import { describeVersion, worded } from '../../error-messages.ts';
import { ConfigurationConflict } from '../../errors.ts';
import type { ChangeOptions } from '../../options.ts';
import { digestIn } from '../base.ts';
import { type ChangeProgress, progressAfter } from '../change-progress.ts';
import { diffConfigurations } from '../diff-configurations.ts';
import { versionBefore } from '../history-entries.ts';
import type { MergeConflict } from '../merge-fields.ts';
import { type Draft, type PlannedChange, planPublication, planRollback } from '../plan-change.ts';
import { publish } from '../publish.ts';
import { type ChangeReview, reviewChange } from '../review-change.ts';
import type { ConfigurationTables } from '../stored-configuration.ts';
import { configurationTables } from '../tables.ts';
import { waitForVersion } from '../wait-for-version.ts';
import { checkText, findingsTo, firstOf, printFindings } from './check.ts';
import { differencesToJson, printDifferences } from './diff.ts';
import { readDraft, readText } from './draft.ts';
import { updateFile } from './update-file.ts';
import type { VersionReference } from './version-reference.ts';

/** The options of a command that changes a configuration. */
export interface PublishOptions extends ChangeOptions {
  /** Present, unless it is a dry run. */
  readonly message?: string;
  readonly merge?: boolean;
}

/**
 * Publishes a configuration file or, again, a version: read, plan, review, confirm, write, wait.
 * Prints the version that it becomes.
 *
 * @throws UserError with the outcome: whether the change was published, and how to go on after a
 *   conflict.
 */
export async function publishConfiguration(
  terminal: Terminal,
  source: string | VersionReference,
  { merge = false, ...options }: PublishOptions,
): Promise<void> {
  const note = noteTo(terminal);
  const isFile = typeof source === 'string';
  const name = isFile ? source : `${source.clientId}@${source.version}`;
  let progress: ChangeProgress = 'nothing';
  let clientId = '';
  try {
    const text = isFile ? await readText(source) : '';
    // An earlier merge may have brought errors that others have repaired since.
    const refusal = isFile
      ? checkText(source, text, reviewed(note, options.json), note, merge)
      : undefined;
    const deployment = await findDeploymentToChange(options);
    using tables = configurationTables(deployment.outputs);
    const plan = isFile
      ? await planPublication(tables, draftIn(source, text), merge)
      : await planRollback(tables, source.clientId, source.version);
    ({ clientId } = plan.before);
    if (refusal && !plan.mergedWith) throw refusal;
    const review = reviewChange(plan);
    let lastChange: LastChange | undefined;
    if (review.hasEffect) {
      if (!(await approve(terminal, deployment, plan, review, name, options))) return;
      const change = { by: await author(deployment), message: options.message ?? '' };
      progress = 'unknown';
      lastChange = await publish(tables, plan, change);
      progress = 'published';
    } else if (plan.mergedWith) {
      note(`Every change in ${name} is live already. Nothing was published.`);
      if (options.dryRun) return;
    } else if (plan.lowerId !== undefined) {
      const { N: kept } = plan.after.lastFieldId;
      return note(
        `The fields of ${name} are live already. lastFieldId stays ${kept}, so that no id is given twice. Nothing was changed.`,
      );
    } else return note(`${name} is already live. Nothing was changed.`);
    const update = isFile ? await updateFile(source, text, plan) : undefined;
    if (update) note(update.message);
    if (lastChange) await printVersion(terminal, deployment, tables, clientId, lastChange, options);
    // What is wrong with the file has been said. The outcome follows.
    if (update?.isStale) throw new UserError('', 'incomplete');
  } catch (error) {
    throw withOutcome(error, clientId, progress, isFile ? source : undefined);
  }
}

function draftIn(file: string, text: string): Draft {
  const draft = readDraft(file, text) as ConfigsItem & Draft;
  return { ...draft, base: digestIn(draft.base) };
}

/** The findings that a person is shown before a publication. */
const SHOWN_FINDINGS = 20;

function reviewed(note: (line: string) => void, json = false) {
  return json ? findingsTo(note, json) : firstOf(SHOWN_FINDINGS, findingsTo(note));
}

/**
 * Shows a planned change with the findings about its result, and asks for it.
 *
 * @param name names the new configuration.
 * @returns false for a dry run.
 * @throws UserError if the service would leave out more of the new configuration than of the live
 *   one, or the answer is no.
 */
async function approve(
  terminal: Terminal,
  deployment: Deployment,
  { before: { clientId }, mergedWith, restores }: PlannedChange,
  review: ChangeReview,
  name: string,
  { yes, dryRun, json }: PublishOptions,
): Promise<boolean> {
  const note = noteTo(terminal);
  if (mergedWith) note('Merged with these changes:');
  for (const version of mergedWith ?? []) note(`  ${describeVersion(version)}`);
  const result = mergedWith ? `${name}, merged` : name;
  // The findings of a file were printed with their lines.
  if (mergedWith || restores !== undefined) {
    printFindings(result, review, reviewed(note, json), note);
  }
  if (review.refusal) throw new UserError(review.refusal, 'moreErrors');
  const differences = diffConfigurations(
    { name: clientId, content: review.before },
    { name: result, content: review.after },
  );
  printDifferences(differences, terminal.stderr);
  for (const danger of review.dangers) note(danger);
  if (dryRun) {
    if (json) {
      const { changes, lines } = differencesToJson(differences);
      const { dangers } = review;
      printTo(terminal)(JSON.stringify({ clientId, changes, dangers, lines }));
    }
    note('Dry run: nothing was changed.');
    return false;
  }
  const isConfirmed = await confirm(terminal, {
    deployment,
    question: `Publish this for ${clientId}?`,
    typed: review.dangers.length > 0 ? clientId : undefined,
    isAnswered: yes,
  });
  if (!isConfirmed) throw new UserError('', 'notConfirmed');
  return true;
}

/**
 * Waits until a change is recorded as a version, and prints that version, and when apps have it.
 *
 * @throws UserError if that takes more than half a minute.
 */
async function printVersion(
  terminal: Terminal,
  { outputs }: Deployment,
  tables: ConfigurationTables,
  clientId: string,
  lastChange: LastChange,
  { json }: PublishOptions,
): Promise<void> {
  const version = await whileWaiting(terminal, 'Waiting for the version', () =>
    waitForVersion(tables, clientId, lastChange),
  );
  if (!version) {
    throw new UserError(
      `The version was not recorded within 30 seconds. Look for it later: ${suggested('config', 'history', clientId)}`,
      'versionNotRecorded',
    );
  }
  const time = utcTime(appsHaveItBy(outputs, version.at));
  const sentences = [`Published as ${clientId}@${version.version}.`, `Apps have it by ${time}.`];
  // Worth knowing, and no more: the change is published.
  const previous = await versionBefore(tables, version).catch(() => undefined);
  if (previous?.liveFor !== undefined) {
    const lived = durationOf(previous.liveFor * 1000);
    sentences.push(`${clientId}@${previous.version.version} was live for ${lived}.`);
  }
  noteTo(terminal)(sentences.join(' '));
  printTo(terminal)(json ? JSON.stringify(version) : `${clientId}@${version.version}`);
}

/**
 * Adds to an error how far the change has come, or how to go on after a conflict.
 *
 * @param file the file that was to be published; undefined for a rollback.
 */
function withOutcome(
  error: unknown,
  clientId: string,
  progress: ChangeProgress,
  file?: string,
): unknown {
  const failure = inOneLine(worded(error));
  if (!(failure instanceof UserError)) return failure;
  const outcome =
    error instanceof ConfigurationConflict
      ? stepsAfter(error)
      : outcomeOf(clientId, progressAfter(error, progress), file);
  failure.message = [failure.message, outcome].filter(Boolean).join('\n');
  return failure;
}

function outcomeOf(clientId: string, progress: ChangeProgress, file: string | undefined): string {
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

function stepsAfter({ clientId, reason }: ConfigurationConflict): string {
  const steps: string[] = [];
  const { base, versions: [newest] = [] } = 'since' in reason ? reason.since : {};
  if (base && newest) {
    const sides = [base, newest].map(({ version }) => `${clientId}@${version}`);
    steps.push(`To see the lines: ${suggested('config', 'diff', ...sides)}`);
  }
  const show = suggested('config', 'show', clientId, 'FILE');
  const again = `Write the configuration into a new file, and repeat all your changes there. Leave out the ids of new fields: ${show}`;
  if (reason.kind === 'changed') steps.push(AFTER_CHANGE[reason.merge ?? 'unknown']);
  else if (reason.kind === 'sameFields' && reason.conflicts.every(hasValues)) {
    steps.push(
      'Write their value of each of these attributes into the file, and publish it with --merge.',
      'If yours is right, change it again afterwards.',
    );
  } else if (reason.kind === 'noBase' || reason.kind === 'unknownBase') {
    steps.push(again, 'To copy a client, leave out base, and the ids of all fields.');
  } else steps.push(again);
  return steps.join('\n');
}

/** True for a conflict about attributes. Others are about a whole field, or the order. */
function hasValues({ attributes }: MergeConflict): boolean {
  return attributes.length > 0 && attributes.every(({ attribute }) => attribute !== '');
}

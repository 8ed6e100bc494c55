import {
  type PlannedChange,
  planPublication,
  planRollback,
} from '../../../admin/configuration/plan-change.ts';
import { publish } from '../../../admin/configuration/publish.ts';
import { type ChangeReview, reviewChange } from '../../../admin/configuration/review-change.ts';
import type { ConfigurationTables } from '../../../admin/configuration/stored-configuration.ts';
import { waitForVersion } from '../../../admin/configuration/wait-for-version.ts';
import { ConfigurationConflict } from '../../../admin/errors.ts';
import type { LastChange } from '../../../core/clients/last-change.ts';
import { readVersion } from '../../../core/history/versions-table.ts';
import { UserError } from '../../../core/user-error.ts';
import { author } from '../../deployment/author.ts';
import { inOneLine } from '../../deployment/aws-error.ts';
import { type ChangeProgress, progressAfter } from '../../deployment/change-progress.ts';
import { confirm } from '../../deployment/confirm.ts';
import { type Deployment, findDeploymentToChange } from '../../deployment/deployment.ts';
import type { DeploymentOptions } from '../../deployment/options.ts';
import { appsHaveItBy } from '../../deployment/outputs.ts';
import { configurationTables } from '../../deployment/tables.ts';
import { describeVersion, worded } from '../../error-messages.ts';
import type { WriteOptions } from '../../options.ts';
import { suggested } from '../../suggestion.ts';
import { durationOf } from '../../terminal/duration.ts';
import { whileWaiting } from '../../terminal/progress.ts';
import { noteTo, printTo, type Terminal } from '../../terminal/terminal.ts';
import { checkConfigurationFile, findingsTo, printFindings } from './check.ts';
import { diffConfigurations, printDifferences } from './diff.ts';
import { readCheckedDraft } from './draft.ts';
import { updateFile } from './update-file.ts';
import type { VersionReference } from './version-reference.ts';

/** The options of a command that changes a configuration. */
export interface ChangeOptions extends DeploymentOptions, WriteOptions {
  /** Present, unless it is a dry run. */
  readonly message?: string;
  readonly json?: boolean;
}

/**
 * Publishes a configuration file: read, plan, review, confirm, write, wait. Prints the version that
 * it becomes.
 *
 * @throws UserError with the outcome: whether the change was published, and how to go on after a
 *   conflict.
 */
export async function publishFile(
  terminal: Terminal,
  file: string,
  { merge = false, ...options }: ChangeOptions & { readonly merge?: boolean },
): Promise<void> {
  const note = noteTo(terminal);
  let progress: ChangeProgress = 'nothing';
  let clientId = '';
  try {
    const text = await checkConfigurationFile(file, findingsTo(note, options.json), note);
    const draft = readCheckedDraft(file, text);
    ({ clientId } = draft);
    const deployment = await findDeploymentToChange(options);
    using tables = configurationTables(deployment.outputs);
    const plan = await planPublication(tables, draft, merge);
    const review = reviewChange(plan);
    let lastChange: LastChange | undefined;
    if (review.hasEffect) {
      if (!(await approve(terminal, deployment, plan, review, file, options))) return;
      const change = { by: await author(deployment), message: options.message ?? '' };
      progress = 'unknown';
      lastChange = await publish(tables, plan, change);
      progress = 'published';
    } else if (plan.mergedWith) {
      note(`Every change in ${file} is live already. Nothing was published.`);
      if (options.dryRun) return;
    } else return note(`${file} is already live. Nothing was changed.`);
    const update = await updateFile(file, text, plan);
    note(update.message);
    if (lastChange) await printVersion(terminal, deployment, tables, clientId, lastChange, options);
    // What is wrong with the file has been said. The outcome follows.
    if (update.isStale) throw new UserError('', 'incomplete');
  } catch (error) {
    throw withOutcome(error, clientId, progress, file);
  }
}

/** Publishes a version again, as `publishFile` does with a file. */
export async function rollBackTo(
  terminal: Terminal,
  { clientId, version }: VersionReference,
  options: ChangeOptions,
): Promise<void> {
  const name = `${clientId}@${version}`;
  let progress: ChangeProgress = 'nothing';
  try {
    const deployment = await findDeploymentToChange(options);
    using tables = configurationTables(deployment.outputs);
    const plan = await planRollback(tables, clientId, version);
    const review = reviewChange(plan);
    if (!review.hasEffect) {
      return noteTo(terminal)(`${name} is already live. Nothing was changed.`);
    }
    if (!(await approve(terminal, deployment, plan, review, name, options))) return;
    const change = { by: await author(deployment), message: options.message ?? '' };
    progress = 'unknown';
    const lastChange = await publish(tables, plan, change);
    progress = 'published';
    await printVersion(terminal, deployment, tables, clientId, lastChange, options);
  } catch (error) {
    throw withOutcome(error, clientId, progress);
  }
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
  { yes, dryRun, json }: ChangeOptions,
): Promise<boolean> {
  const note = noteTo(terminal);
  if (mergedWith) note('Merged with these changes:');
  for (const version of mergedWith ?? []) note(`  ${describeVersion(version)}`);
  const result = mergedWith ? `${name}, merged` : name;
  // The findings of a file were printed with their lines.
  if (mergedWith || restores !== undefined) {
    printFindings(result, review, findingsTo(note, json), note);
  }
  if (review.refusal) throw new UserError(review.refusal, 'moreErrors');
  const { lines } = diffConfigurations(
    { name: clientId, content: review.before },
    { name: result, content: review.after },
  );
  printDifferences({ changes: review.changes, lines }, terminal.stderr);
  for (const danger of review.dangers) note(danger);
  if (dryRun) {
    const { changes, dangers } = review;
    if (json) printTo(terminal)(JSON.stringify({ clientId, changes, dangers, lines }));
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
  { json }: ChangeOptions,
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
  // Worth knowing, and no more: the change is published.
  const previous = await readVersion(tables, clientId, version.version - 1).catch(() => undefined);
  const sentences = [
    `Published as ${clientId}@${version.version}.`,
    `Apps have it by ${appsHaveItBy(outputs, version.at).toLocaleTimeString('en-GB')}.`,
  ];
  if (previous && !previous.isDeleted) {
    const lived = durationOf(Date.parse(version.at) - Date.parse(previous.at));
    sentences.push(`${clientId}@${previous.version} was live for ${lived}.`);
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
  const lines =
    error instanceof ConfigurationConflict
      ? stepsAfter(error, file)
      : outcomeLines(clientId, progressAfter(error, progress), file);
  failure.message = [failure.message, ...lines].filter(Boolean).join('\n');
  return failure;
}

function outcomeLines(
  clientId: string,
  progress: ChangeProgress,
  file: string | undefined,
): string[] {
  if (progress === 'nothing') return ['Nothing was published.'];
  if (progress === 'published') return ['It is published.'];
  return [
    `Could not confirm whether it was published. To find out: ${suggested('config', 'history', clientId)}`,
    ...(file === undefined
      ? []
      : [
          'Before you edit the file, run this command again with --merge. It publishes nothing twice.',
        ]),
  ];
}

function stepsAfter({ clientId, reason }: ConfigurationConflict, file: string | undefined) {
  const { base, versions } = 'since' in reason ? reason.since : {};
  const [newest] = versions ?? [];
  const diff =
    base && newest
      ? [
          `To see the lines: ${suggested('config', 'diff', `${clientId}@${base.version}`, `${clientId}@${newest.version}`)}`,
        ]
      : [];
  if (file === undefined)
    return [...diff, 'Run the command again to see what it would change now.'];
  const isMergeable = reason.kind === 'changed' && !reason.since.base.isTooLarge;
  return [
    ...diff,
    ...(isMergeable ? ['If they changed other fields, add --merge to keep both.'] : []),
    `${isMergeable ? 'Otherwise, write' : 'Write'} the configuration into a new file, and make your change there: ${suggested('config', 'show', clientId, 'FILE')}`,
  ];
}

import { CommandError } from '../../../admin/command-error.ts';
import { describeVersion } from '../../../admin/configuration/conflict.ts';
import type { PlannedChange } from '../../../admin/configuration/plan-change.ts';
import { publish } from '../../../admin/configuration/publish.ts';
import { reviewChange } from '../../../admin/configuration/review-change.ts';
import type { ConfigurationTables } from '../../../admin/configuration/stored-configuration.ts';
import { waitForVersion } from '../../../admin/configuration/wait-for-version.ts';
import { author } from '../../deployment/author.ts';
import { confirm } from '../../deployment/confirm.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import type { WriteOptions } from '../../options.ts';
import { whileWaiting } from '../../terminal/progress.ts';
import { noteTo, printTo, type Terminal } from '../../terminal/terminal.ts';
import { findingsTo, printFindings } from './check.ts';
import { diffConfigurations, printDifferences } from './diff.ts';
import type { Outcome } from './publish-outcome.ts';

/** The options of a command that changes a configuration. */
export interface ChangeOptions extends WriteOptions {
  /** Present, unless it is a dry run. */
  readonly message?: string;
  readonly json?: boolean;
}

/**
 * Shows a planned change and the findings about its result. If the operator confirms it, writes it, waits until it is recorded as a
 * version, and prints that version.
 *
 * @param name what to call the new configuration.
 * @param outcome learns how far the change has come.
 * @param onLive called when the result is what apps get, before its version is waited for.
 * @throws CommandError if the service would leave out more of the new configuration than of the current one.
 */
export async function makeChange(
  terminal: Terminal,
  deployment: Deployment,
  tables: ConfigurationTables,
  {
    plan,
    name,
    outcome,
    onLive,
  }: {
    readonly plan: PlannedChange;
    readonly name: string;
    readonly outcome: Outcome;
    readonly onLive?: () => Promise<void>;
  },
  { message = '', yes, dryRun, json }: ChangeOptions,
): Promise<void> {
  const note = noteTo(terminal);
  const noteFinding = findingsTo(note, json);
  const { clientId } = plan.before;
  const review = reviewChange(plan);
  if (!review.hasEffect) {
    if (!plan.mergedWith) return note(`${name} is what apps get already. Nothing was changed.`);
    note(`Every change in ${name} is live already. Nothing was published.`);
    return dryRun ? undefined : onLive?.();
  }
  if (plan.mergedWith) note('Merged with what changed meanwhile:');
  for (const version of plan.mergedWith ?? []) note(`  ${describeVersion(version)}`);
  const result = plan.mergedWith ? `${name}, merged` : name;
  // A file was checked with its lines.
  if (plan.mergedWith || plan.restores !== undefined) {
    printFindings(result, review, noteFinding, note);
  }
  if (review.refusal) throw new CommandError(review.refusal, 'moreErrors');
  const { lines } = diffConfigurations(
    { name: clientId, content: review.before },
    { name: result, content: review.after },
  );
  printDifferences({ changes: review.changes, lines }, terminal.stderr);
  for (const danger of review.dangers) note(danger);
  if (dryRun) {
    note('Nothing was changed: this was a dry run.');
    return;
  }
  const isConfirmed = await confirm(terminal, {
    deployment,
    question: `Publish this for ${clientId}?`,
    typed: review.dangers.length > 0 ? clientId : undefined,
    isAnswered: yes,
  });
  if (!isConfirmed) throw new CommandError('', 'notConfirmed');
  const by = await author(deployment);
  const lastChange = await outcome.sent(() => publish(tables, plan, { by, message }));
  await onLive?.();
  const version = await whileWaiting(terminal, 'Waiting for the version', () =>
    waitForVersion(tables, clientId, lastChange),
  );
  if (!version) {
    throw new CommandError(
      `The version was not recorded within half a minute. Look for it with customer-data config history ${clientId}.`,
      'versionNotRecorded',
    );
  }
  printTo(terminal)(json ? JSON.stringify(version) : `${clientId}@${version.version}`);
}

import { inOneLine } from 'customer-data-api-deployment';
import { suggested, UserError } from 'customer-data-api-deployment/program';
import { withMessage } from '../../error-messages.ts';
import { ConfigurationConflict, StoppedAtStart } from '../../errors.ts';
import type { MergeConflict } from '../merge-fields.ts';
import { StoppedPublication } from '../publication.ts';

/**
 * Words the error of a publication, or one before or after it: how far it came, or how to go on
 * after a conflict.
 *
 * @param file the file that was to be published; undefined for a rollback.
 */
export function withOutcome(error: unknown, file?: string): unknown {
  const stopped = error instanceof StoppedPublication ? error : undefined;
  const cause = stopped ? stopped.cause : error;
  const failure = inOneLine(withMessage(cause));
  if (!(failure instanceof UserError)) return failure;
  // They say it.
  if (failure.code === 'notConfirmed' || failure.code === 'noTerminal') return failure;
  const outcome =
    cause instanceof ConfigurationConflict ? stepsAfter(cause) : outcomeOf(stopped, file);
  failure.message = [failure.message, outcome].filter(Boolean).join('\n');
  return failure;
}

function outcomeOf(stopped: StoppedPublication | undefined, file: string | undefined): string {
  const { progress = 'nothing', clientId = '', cause } = stopped ?? {};
  // A rollout that was stopped again was published, and is not any more.
  if (cause instanceof StoppedAtStart) return '';
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

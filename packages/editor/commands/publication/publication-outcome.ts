import type { Sentence } from 'customer-data-api/sentences';
import { inOneLine } from 'customer-data-api-deployment';
import { suggesting, UserError } from 'customer-data-api-deployment/program';
import { StoppedPublication } from '../../configurations/publication.ts';
import { withMessage } from '../../error-messages.ts';
import { type ConflictReason, type ErrorFacts, isError } from '../../errors.ts';

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
  // It says so.
  if (failure.code === 'notConfirmed') return failure;
  const outcome = isError(cause, 'configurationConflict')
    ? stepsAfter(cause.facts, file)
    : outcomeOf(stopped, file);
  return new UserError([...failure.lines, ...outcome], failure.code, failure.data);
}

type Lines = Sentence[];

function outcomeOf(stopped: StoppedPublication | undefined, file: string | undefined): Lines {
  const { progress = 'nothing', clientId = '' } = stopped ?? {};
  if (progress === 'nothing') return ['Nothing was published.'];
  if (progress === 'published') return ['It is published.'];
  const unknown = suggesting(
    'Could not confirm whether it was published. To find out:',
    'config',
    'history',
    clientId,
  );
  if (file === undefined) return [unknown];
  return [
    unknown,
    'Before you edit the file, run this command again with --merge. It publishes nothing twice.',
  ];
}

/** The next step, by the outcome of a merge. */
const AFTER_CHANGE = {
  possible: 'Your changes do not clash with these: add --merge to keep both.',
  needless: 'There is nothing left to publish. To bring the file up to date, add --merge.',
  unknown: 'Run the command again to see what it would change now.',
};

function stepsAfter(
  { clientId, reason }: ErrorFacts['configurationConflict'],
  file: string | undefined,
): Lines {
  if (reason.kind === 'wasLive') return stepsBack(clientId, reason);
  const steps: Lines = [];
  const show = ['config', 'show', clientId, 'FILE'];
  const { base, versions: [newest] = [] } = 'since' in reason ? reason.since : {};
  if (base && newest) {
    const sides = [base, newest].map(({ version }) => `${clientId}@${version}`);
    steps.push(suggesting('To see the lines:', 'config', 'diff', ...sides));
  }
  const isUndo = reason.kind === 'changedLater';
  const stop = suggesting('To discard the candidate:', 'rollout', 'stop', clientId, '-m', 'REASON');
  const again =
    file === undefined
      ? stop
      : suggesting(
          'Write the configuration into a new file, and repeat all your changes there. Leave out the ids of new fields:',
          ...show,
        );
  if (reason.kind === 'changed') steps.push(AFTER_CHANGE[reason.merge ?? 'unknown']);
  else if ('conflicts' in reason && reason.conflicts.length > 0) {
    const merge = isUndo ? 'Add' : 'Add --merge and';
    steps.push(`${merge}, for each of them, one of its two options.`);
    if (file === undefined && !isUndo) steps.push(stop);
  } else if (isUndo) steps.push('Leave out --before and --now.');
  else if (reason.kind === 'noConflict') steps.push('Leave out --mine and --theirs.');
  else {
    steps.push(again);
    const isOther = reason.kind === 'noBase' || reason.kind === 'unknownBase';
    if (isOther && file !== undefined) {
      steps.push(
        'If it comes from another deployment or client, add --as-copy: it replaces what is live.',
      );
    }
  }
  return steps;
}

/** Names the next steps with a file that was live. */
function stepsBack(
  clientId: string,
  { version, live, isRolledOut }: ConflictReason & { readonly kind: 'wasLive' },
): Lines {
  const name = `${clientId}@${version.version}`;
  const show = ['config', 'show', clientId, 'FILE'];
  const stop = isRolledOut ? ['--stop-rollout'] : [];
  const steps = version.isTooLarge
    ? [
        'It was too large to be recorded, so it cannot be rolled back to.',
        suggesting(
          'To have it back, write what is live into a new file, and replace its fields with yours:',
          ...show,
        ),
      ]
    : [
        suggesting('To have it back:', 'config', 'rollback', name, ...stop, '-m', 'REASON'),
        suggesting('To change what is live, write it into a new file:', ...show),
      ];
  const sides = live && [name, `${clientId}@${live.version}`];
  if (sides && !version.isTooLarge)
    steps.unshift(suggesting('To see the lines:', 'config', 'diff', ...sides));
  return steps;
}

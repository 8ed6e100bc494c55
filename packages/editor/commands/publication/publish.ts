import { type Change, type CommandContext, runChange } from 'customer-data-api-deployment/change';
import { noteTo, suggesting, type Terminal, UserError } from 'customer-data-api-deployment/program';
import { differentLines } from '../../configurations/diff-configurations.ts';
import { replacedVersion } from '../../configurations/history.ts';
import type { Plan } from '../../configurations/plan-draft.ts';
import { publication, StoppedPublication } from '../../configurations/publication.ts';
import { reviewPlan } from '../../configurations/review-plan.ts';
import { fileOf } from '../../configurations/stored-configuration.ts';
import { checkText, readText } from '../files.ts';
import {
  draftFrom,
  type FileDraft,
  type NamedDraft,
  type PublishOptions,
  type ReadDraft,
  resultName,
} from './named-draft.ts';
import { withOutcome } from './publication-outcome.ts';
import {
  type DoneCommand,
  firstFindingsTo,
  rendering,
  type ShownCommand,
} from './publication-text.ts';
import { type UpdatedFile, updateFile } from './update-file.ts';

/**
 * Publishes a configuration file or, again, a version, or changes a rollout. Prints
 * the version that it becomes.
 *
 * @throws UserError with the outcome: whether the change was published, and how to go on after a
 *   conflict.
 */
export async function publishConfiguration(
  terminal: Terminal,
  named: NamedDraft,
  options: PublishOptions,
): Promise<void> {
  const isFile = typeof named === 'string';
  try {
    const draft = isFile ? await readAndCheck(terminal, named, options) : named;
    const words = rendering(terminal, draft, options);
    const change = publicationOf(draft, options);
    await runChange(terminal, options, change, words);
  } catch (error) {
    throw withOutcome(error, isFile && !options.asCopy ? named : undefined);
  }
}

/** Reads a file, and prints what is wrong with it. */
async function readAndCheck(
  terminal: Terminal,
  file: string,
  { json, merge }: PublishOptions,
): Promise<FileDraft> {
  const note = noteTo(terminal);
  const text = await readText(file);
  return { file, text, refusal: checkText(file, text, firstFindingsTo(note, json), note, merge) };
}

/** The publication of a command: it brings the file up to date as soon as the change is live. */
function publicationOf(
  draft: ReadDraft,
  options: PublishOptions,
): Change<ShownCommand, DoneCommand, CommandContext> {
  const review = (plan: Plan) => {
    // An earlier merge may have brought errors that others have repaired since.
    if ('text' in draft && draft.refusal && !plan.mergedWith) throw draft.refusal;
    return reviewPlan(plan);
  };
  const { show, apply } = publication(() => draftFrom(draft, options), review, options);
  return {
    async show(context) {
      const shown = await show(context);
      const { before, after, mergedWith } = shown.plan;
      const lines = differentLines(
        { name: before.clientId, content: fileOf(before.clientId, before.live) },
        { name: resultName(draft, shown.plan), content: fileOf(before.clientId, after) },
      );
      const differences = { effects: shown.review.effects, lines };
      const publishes = shown.hasEffect;
      const updates = 'text' in draft && !!options.merge && mergedWith !== undefined;
      return { ...shown, publishes, hasEffect: publishes || updates, differences };
    },
    async apply(context, shown, by) {
      let file: UpdatedFile | undefined;
      const onLive = async (plan: Plan) => {
        if ('text' in draft && !options.asCopy)
          file = await updateFile(draft.file, draft.text, plan);
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
        version && (await replacedVersion(context.tables, version).catch(() => undefined));
      const stopped = lack && new StoppedPublication(clientId, 'published', lack);
      return { ...done, file, previous, failure: stopped };
    },
  };
}

function notRecorded(clientId: string): UserError {
  return new UserError(
    [
      suggesting(
        'The version was not recorded within 30 seconds. Look for it later:',
        'config',
        'history',
        clientId,
      ),
    ],
    'versionNotRecorded',
  );
}

import { authorName } from 'customer-data-api/clients';
import { shareText, shortened } from 'customer-data-api/configuration';
import { effectText, harmIn } from 'customer-data-api/effects';
import type { Version } from 'customer-data-api/history';
import type { Deployment } from 'customer-data-api-deployment';
import type { Rendering } from 'customer-data-api-deployment/change';
import { appsHaveItBy, utcTime } from 'customer-data-api-deployment/outputs';
import {
  durationOf,
  type Line,
  printable,
  suggesting,
  type Terminal,
} from 'customer-data-api-deployment/program';
import type { Differences } from '../../configurations/diff-configurations.ts';
import type { ListedVersion } from '../../configurations/history.ts';
import { concernsRollout, type Plan, type Step } from '../../configurations/plan-draft.ts';
import type { DonePublication, ShownPublication } from '../../configurations/publication.ts';
import type { Review } from '../../configurations/review-plan.ts';
import { describeVersion } from '../../error-messages.ts';
import { differenceLines, differencesToJson } from '../diff.ts';
import { findingsTo, printFindings, printFirst } from '../files.ts';
import { draftName, type PublishOptions, type ReadDraft, resultName } from './named-draft.ts';
import type { UpdatedFile } from './update-file.ts';

/** The effect of a command: it publishes, or after a merge only brings its file up to date. */
export interface ShownCommand extends ShownPublication<Review> {
  readonly publishes: boolean;
  readonly differences: Differences;
}

export interface DoneCommand extends Partial<DonePublication> {
  readonly file?: UpdatedFile | undefined;
  /** The version that was live before. */
  readonly previous?: ListedVersion | undefined;
}

/** Returns the words of a publication. */
export function rendering(
  terminal: Terminal,
  draft: ReadDraft,
  { asCopy, dryRun, json, merge }: PublishOptions,
): Rendering<ShownCommand, DoneCommand> {
  return {
    awaited: { apply: 'Waiting for the version' },
    shown: ({ publishes, plan, review, differences, failure }) => {
      const ids = changedIdLines(plan);
      if (!publishes) return [...ids, whyNothing(draftName(draft), plan, merge)];
      const { step, mergedWith = [] } = plan;
      const isMerged = mergedWith.length > 0;
      // The findings of a file were printed with their lines; a stop changes nothing that is live.
      const hasFindings = (isMerged || !('text' in draft)) && step.kind !== 'discard';
      return [
        ...(isMerged ? ['Merged with these changes:'] : []),
        ...mergedWith.map((version) => ['  ', ...describeVersion(version)]),
        ...ids,
        ...discardLines(plan),
        ...(hasFindings ? findingLines(resultName(draft, plan), review, json) : []),
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
            suggesting(
              'Before you edit it again, write the configuration into a new file:',
              'config',
              'show',
              before.clientId,
              'FILE',
            ),
          ]
        : []),
    ],
    json: ({ plan, review, differences }, done) => {
      const { clientId } = plan.before;
      if (done?.lastChange) return done.version ?? { clientId, version: null };
      const { effects, findings } = review;
      const harm = harmIn(effects).map((one) => effectText(one));
      const { changedIds, discards } = plan;
      const { rollout: started } = plan.step;
      const rollout = started && { percent: started.percent, devices: started.devices };
      const shown = { harm, findings, changedIds, rollout, discards: discardedToJson(discards) };
      return { clientId, ...differencesToJson(differences), ...shown };
    },
  };
}

function discardedToJson(discards: Plan['discards']) {
  if (!discards) return undefined;
  const { rollout, start } = discards;
  return { by: start?.by, percent: rollout.percent, devices: rollout.devices };
}

/** Says whose candidate a change discards, and which devices lose it. */
function discardLines({ discards }: Plan): Line[] {
  if (!discards) return [];
  const { rollout, start } = discards;
  const { source, by } = start ?? {};
  const who = source === 'manualEdit' ? 'a manual edit' : by && authorName(by);
  const given = who === undefined ? 'goes to' : `${who} gives to`;
  const names = rollout.devices.length > 0 ? `: ${rollout.devices.join(', ')}` : '';
  return [printable(`This discards the candidate that ${given} ${shareText(rollout)}${names}.`)];
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

export function firstFindingsTo(note: (line: string) => void, json = false) {
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
function stepText({ step, before: { clientId, rollout: running }, discards }: Plan): string {
  if (step.kind === 'discard') {
    return running
      ? `discard the candidate of ${clientId}, which goes to ${shareText(running)}`
      : `discard the damaged rollout of ${clientId}`;
  }
  if (step.kind === 'rollOut') {
    const [share, before] = [step.rollout, running ?? step.rollout].map(shareText);
    const instead = discards || share === before ? '' : `, instead of ${before}`;
    return `roll this out to ${share} of ${clientId}${instead}`;
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
  const kept = after.content.lastFieldId.N;
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

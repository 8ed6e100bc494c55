import { authorName } from '../author-name.ts';
import { briefEffects } from '../effects/brief-effects.ts';
import { type Effect, effectSentence, isOfRollout } from '../effects/effect.ts';
import type { BusEvent } from '../events/put-events.ts';
import { plainText } from '../sentence.ts';
import { shortened } from '../text.ts';
import type { ConfigurationChangedDetail } from './configuration-changed-detail.ts';
import { CONFIGURATION_CHANGED, CONFIGURATIONS_SOURCE } from './configurations-source.ts';
import type { RecordedChange } from './record-change.ts';

/** The most characters of an author and of a message: somebody can write any by hand. */
const [AUTHOR_CHARACTERS, MESSAGE_CHARACTERS] = [200, 1000];

/** The part of the news that a chat gets. */
type News = Omit<ConfigurationChangedDetail, 'version' | 'chat'>;

/** The changes of a rollout, as the event names them. */
const ROLLOUT_CHANGES = {
  rolloutStarted: 'started',
  rolloutWidened: 'widened',
  rolloutChanged: 'changed',
  rolloutFinished: 'finished',
  rolloutStopped: 'stopped',
  rolloutEnded: 'ended',
} as const;

/** Returns the event of a recorded change. */
export function configurationChanged({
  version: { clientId, version: configurationVersion, at, source, by, message, rollout: running },
  effects,
  harm,
}: RecordedChange): BusEvent {
  const isManual = source === 'manualEdit';
  const rollout = effects.find(isOfRollout);
  const hasNewCandidate = rollout?.code === 'rolloutStarted' || rollout?.facts.hasNewCandidate;
  const ofCandidate = hasNewCandidate ? effects.filter((one) => one.isOfCandidate) : [];
  const ofAll = effects.filter(
    (one) => one !== rollout && (!one.isOfCandidate || one.level === 'harm'),
  );
  const news: News = {
    clientId,
    configurationVersion,
    madeBy: isManual ? 'manual edit' : 'command',
    ...(by !== undefined && { author: bounded(authorName(by), AUTHOR_CHARACTERS) }),
    ...(message !== undefined && { message: bounded(message, MESSAGE_CHARACTERS) }),
    effects: inWords(ofAll, true),
    // A rule matches a property that exists; what it makes of an empty list is not documented.
    ...(harm.length > 0 && { harm: inWords(harm, true) }),
    ...(rollout && {
      rollout: {
        change: ROLLOUT_CHANGES[rollout.code],
        ...(running && { percent: running.percent, devices: running.devices.length }),
        effects: inWords(ofCandidate),
      },
    }),
  };
  const moved = rollout ? inWords([rollout]) : [];
  const detail: ConfigurationChangedDetail = {
    version: '1',
    ...news,
    chat: { text: chatText(news, moved) },
  };
  return { source: CONFIGURATIONS_SOURCE, detailType: CONFIGURATION_CHANGED, detail, time: at };
}

function inWords(effects: readonly Effect[], isAmongAll = false): string[] {
  return briefEffects(effects).map((one) =>
    plainText(effectSentence(one, isAmongAll)).toWellFormed(),
  );
}

function bounded(value: string, characters: number): string {
  return shortened(value, characters).toWellFormed();
}

function chatText(
  { clientId, configurationVersion, madeBy, author, message, effects, harm = [], rollout }: News,
  moved: readonly string[],
): string {
  const who = author === undefined ? madeBy : `by ${author}`;
  const lines = [
    `${clientId}@${configurationVersion}, ${who}${message ? `: ${message}` : ''}`,
    ...moved,
    ...harm.map((sentence) => `Harm: ${sentence}`),
    ...effects.filter((sentence) => !harm.includes(sentence)),
    ...(rollout?.effects ?? []).map((sentence) => `In the candidate: ${sentence}`),
  ];
  return lines.map(withoutMarkup).join('\n');
}

/**
 * Keeps a text in its line, and from being a link or calling everybody of a channel, as what stands
 * in angle brackets is in chats.
 */
function withoutMarkup(line: string): string {
  return line
    .replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ')
    .replaceAll('<', '‹')
    .replaceAll('>', '›');
}

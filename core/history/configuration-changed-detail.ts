import * as v from 'valibot';

/*
 * Apart from what makes an event: the function that does so validates nothing, and its bundle has
 * no schema.
 */

/** Version of the schema of `detail`. Increase it with each incompatible change. */
const VERSION = '1';
const text = (description: string) => v.pipe(v.string(), v.description(description));
const sentences = (description: string) => v.pipe(v.array(v.string()), v.description(description));
const integer = (description: string) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.description(description));

/** The detail of the event of a version of a client's configuration. */
export const ConfigurationChangedDetail = v.object({
  version: v.pipe(
    v.literal(VERSION),
    v.description(
      'Version of this schema. New properties do not raise it; incompatible changes do.',
    ),
  ),
  clientId: text('The client whose configuration, App-Ids, app clients or rollout changed.'),
  configurationVersion: integer(
    'The version in the history of the client. With clientId, the identity of the event.',
  ),
  madeBy: v.pipe(
    v.picklist(['command', 'manual edit']),
    v.description('Whether a command or the console made the change, or somebody by hand.'),
  ),
  author: v.optional(text('Who made the change with a command or the console.')),
  message: v.optional(text('The reason that the author gave.')),
  effects: sentences(
    'What the change does to the client and its customers, as `config diff` says it, and the App-Ids, by their fingerprints, and app clients that were added or removed, except those that the message names. Of many effects, the first ones, and how many more. Empty if customers notice nothing.',
  ),
  harm: v.optional(
    sentences('Those of the effects that harm and are rarely intended. Missing if there are none.'),
  ),
  rollout: v.optional(
    v.object({
      change: v.pipe(
        v.picklist(['started', 'widened', 'changed', 'finished', 'stopped', 'ended']),
        v.description(
          'What the change did to the rollout. `changed`: its candidate was merged with what is live, or somebody edited it by hand. `ended`: fields other than those of the candidate became live, as when a finish kept a manual edit.',
        ),
      ),
      percent: v.optional(
        v.pipe(
          v.number(),
          v.minValue(0),
          v.maxValue(100),
          v.description('The share of the devices that get the candidate, while it runs.'),
        ),
      ),
      devices: v.optional(integer('How many devices are named besides, while it runs.')),
      effects: sentences(
        'What the candidate changes next to the live configuration, if it is new.',
      ),
    }),
  ),
  chat: v.pipe(
    v.object({ text: text('The news in plain text, without markup.') }),
    v.description('The news as many chats accept it: `$.detail.chat` is the body of the request.'),
  ),
});

export type ConfigurationChangedDetail = Readonly<v.InferOutput<typeof ConfigurationChangedDetail>>;

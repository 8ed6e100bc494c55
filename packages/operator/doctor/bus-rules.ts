import {
  type EventBridgeClient,
  ListRulesCommand,
  type Rule,
  TestEventPatternCommand,
} from '@aws-sdk/client-eventbridge';
import { PROMO_EVENTS_SOURCE } from 'customer-data-api/promo-events';
import { eventBridgeClient } from 'customer-data-api-deployment';
import type { Outputs } from 'customer-data-api-deployment/outputs';
import { type CheckResult, firstNames, note, ok, problem } from './results.ts';

/**
 * Finds rules of a bus that wait for promo events of version 1, which had the item in DynamoDB's
 * JSON: they match nothing, and nobody is told. EventBridge itself says what they match. Rules on
 * buses of other accounts are out of sight.
 */
export async function* checkBusRules(
  place: Partial<Outputs>,
  bus: string | undefined,
): AsyncGenerator<CheckResult> {
  if (bus === undefined) return yield note('There is no event bus yet.');
  using client = eventBridgeClient(place);
  const rules: string[] = [];
  for await (const { Name = '', EventPattern = '{}' } of rulesOf(client, bus)) {
    if (await isOld(client, JSON.parse(EventPattern))) rules.push(Name);
  }
  if (rules.length === 0)
    return yield ok('No rule of the event bus waits for events of version 1.');
  yield {
    ...problem(
      `Rules of the event bus that wait for events of version 1: ${firstNames(rules, 'other rule')}. They ask for detail.item or version 1. Change their patterns: docs/promo-events.md#subscribe`,
      'oldRules',
    ),
    facts: { rules },
  };
}

async function* rulesOf(client: EventBridgeClient, EventBusName: string): AsyncGenerator<Rule> {
  let next: string | undefined;
  do {
    const { Rules = [], NextToken } = await client.send(
      new ListRulesCommand({ EventBusName, NextToken: next }),
    );
    yield* Rules;
    next = NextToken;
  } while (next);
}

/** What tells promo events from those of others. */
const ENVELOPE = ['source', 'detail-type'];
const VERSION = 'detail.version';
const ITEM = 'detail.item';

/**
 * Tells whether a pattern waits for promo events of version 1: one of its choices does, and no
 * other takes the same events of version 2.
 */
async function isOld(client: EventBridgeClient, pattern: object): Promise<boolean> {
  const choices = choicesOf(pattern);
  for (const old of choices) {
    if (!(await waitsForVersion1(client, old))) continue;
    const asked = conditionsOf(old);
    const same = choices.filter((one) => conditionsOf(one).every((each) => asked.includes(each)));
    const taken = await Promise.all(same.map((one) => takesVersion2(client, one)));
    if (!taken.includes(true)) return true;
  }
  return false;
}

/** True for a list of choices. An event can also have a property with the name `$or`. */
function isChoice(value: unknown): value is [object, ...object[]] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => typeof one === 'object' && one !== null)
  );
}

/** Returns the patterns of which a pattern means one or another: with one choice in each `$or`. */
function choicesOf(pattern: object): object[] {
  return Object.entries(pattern).reduce<object[]>(
    (all, [key, value]) => {
      const choices: unknown[] =
        key === '$or' && isChoice(value)
          ? value.flatMap(choicesOf).map((one: object) => [one])
          : Array.isArray(value)
            ? [value]
            : choicesOf(value);
      return all.flatMap((begun) => choices.map((one) => ({ ...begun, [key]: one })));
    },
    [{}],
  );
}

/**
 * Returns the conditions of a choice as texts, without that of the version, in version 2, where
 * the properties of `item` are those of `detail`.
 */
function conditionsOf(pattern: object, above = ''): string[] {
  return Object.entries(pattern).flatMap(([key, value]) => {
    if (key === '$or' && isChoice(value)) return conditionsOf(value[0], above);
    const path = `${above}${key}`;
    if (path === VERSION) return [];
    if (!Array.isArray(value)) return conditionsOf(value, `${path}.`);
    return [JSON.stringify([path.replace(/^detail\.item\.(.+)\.[SN]$/, 'detail.$1'), value])];
  });
}

/** Whatever a choice asks for in an item, some item may have had. */
async function waitsForVersion1(client: EventBridgeClient, pattern: object): Promise<boolean> {
  if (isEmpty(part(pattern, [VERSION, ITEM]))) return false;
  if (await takesVersion2(client, pattern)) return false;
  const ofVersion1 = part(pattern, [
    ...ENVELOPE,
    ...(isEmpty(part(pattern, [ITEM])) ? [VERSION] : []),
  ]);
  return await matches(client, ofVersion1, { version: '1' });
}

function takesVersion2(client: EventBridgeClient, pattern: object): Promise<boolean> {
  return matches(client, part(pattern, [...ENVELOPE, VERSION, ITEM]), { version: '2' });
}

/**
 * Returns the conditions of a choice that are about some paths, and what is below them. The events
 * of a version can meet all others.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
function part(pattern: object, paths: readonly string[], above = ''): Record<string, unknown> {
  const parts = Object.entries(pattern).map(([key, value]) => {
    const path = `${above}${key}`;
    if (paths.includes(path)) return [key, value];
    if (key === '$or' && isChoice(value)) {
      const ofChoice = part(value[0], paths, above);
      return [key, isEmpty(ofChoice) ? {} : [ofChoice]];
    }
    return [key, Array.isArray(value) ? {} : part(value, paths, `${path}.`)];
  });
  return Object.fromEntries(parts.filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  return Object.keys(Object(value)).length === 0;
}

/** Tells whether a pattern matches a promo event with a detail. */
async function matches(
  client: EventBridgeClient,
  pattern: object,
  detail: object,
): Promise<boolean> {
  if (isEmpty(pattern)) return true;
  for (const detailType of ['applied', 'repeated']) {
    const event = {
      id: '1',
      account: '123456789012',
      source: PROMO_EVENTS_SOURCE,
      time: '2026-11-20T09:30:00Z',
      region: 'us-east-1',
      resources: [],
      'detail-type': detailType,
      detail,
    };
    const { Result } = await client.send(
      new TestEventPatternCommand({
        EventPattern: JSON.stringify(pattern),
        Event: JSON.stringify(event),
      }),
    );
    if (Result) return true;
  }
  return false;
}

import { CONFIGURATION_CHANGED, CONFIGURATIONS_SOURCE } from 'customer-data-api/history';
import { PROMO_EVENTS_SOURCE } from 'customer-data-api/promo-events';
import { lengthOf } from 'customer-data-api/testing/aws';
import { eventOf } from 'customer-data-api/testing/promo-event';
import { expect, vi } from 'vitest';
import { CTRL_C, type Desk, STACK, scenario } from '../support/transcripts/desk.ts';
import { eventsOf, itemOf, queuesOf } from '../support/transcripts/queues.ts';

const EVENTS = eventsOf(25);
const BODIES = EVENTS.map((event) => JSON.stringify(event)).sort();
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const NEWS = {
  source: CONFIGURATIONS_SOURCE,
  detailType: CONFIGURATION_CHANGED,
  detail: { clientId: 'demo', configurationVersion: 7, chat: { text: '"\n' } },
  time: '2026-11-20T09:30:00.000Z',
  reason: 'The bus did not take it.',
};
/** A dead letter of the pipe of release 0.1.0. */
const OF_THE_PIPE = { DDBStreamBatchInfo: { shardId: 'shardId-1', batchSize: 1 } };

scenario('queue/show', 'The first dead letters of each kind are shown, and stay.', async (desk) => {
  const { run, ends, note, unseen } = desk;
  const { send, hold, drain, letterOf } = await queuesOf(desk);
  await run('queue show --local');
  await send('queue', ...EVENTS.slice(0, 3));
  await send('busQueue', NEWS);
  await send('deadLetters', 'two\nlines', { ...EVENTS[0], clientId: '' });
  await send('deadLetters', eventOf('jane', { receivedAt: '2026-01-01T09:30:00.412Z' }));
  await send('deadLetters', eventOf('jane', { clientId: 'acme' }));
  await send('busDeadLetters', letterOf('jane'), NEWS, letterOf('joe'), OF_THE_PIPE);
  await run('queue show --local');
  await run('queue show --local --json | cat');
  // They can be received at once.
  expect(await drain('deadLetters')).toHaveLength(4);
  await send('deadLetters', ...EVENTS, 'no event');
  const json = 'queue show --local --json | cat';
  const { stdout } = await unseen(json);
  expect(JSON.parse(stdout).deadLetters).toMatchObject({ count: 26, waiting: 3 });
  expect(JSON.parse(stdout).deadLetters.first).toHaveLength(10);
  await drain('deadLetters');
  await drain('busDeadLetters');
  await send('deadLetters', 'x'.repeat(5000));
  const [letter] = JSON.parse((await unseen(json)).stdout).deadLetters.first;
  expect(letter.content).toBe('x'.repeat(4000));
  note('Somebody else has one in flight:');
  await hold('deadLetters');
  await ends('queue show --local');
});

scenario(
  'queue/redrive',
  'SQS moves each kind to its queue, which is always named; what is no event, too.',
  async (desk) => {
    const { run, ends, aws, answer, note } = desk;
    const { send, drain, letterOf } = await queuesOf(desk);
    await run('queue redrive --local', 'y');
    await send('deadLetters', ...EVENTS, 'no event');
    await send('busDeadLetters', letterOf('ann'), OF_THE_PIPE);
    await ends('queue redrive --local --dry-run', 'queue redrive --local < /dev/null', [
      'queue redrive --local',
      'n',
    ]);
    expect(aws.inputsOf('StartMessageMoveTask')).toEqual([]);
    await run('queue redrive --local', 'y');
    const arns = aws.inputsOf('StartMessageMoveTask').map((input) => Object.values(input));
    expect(
      arns.map((ends) => ends.map((arn) => String(arn).replace(/.*:|[\dA-F]{8}$/g, ''))),
    ).toEqual([
      [
        'CustomerDataApi-dev-PromoEventsQueueDeadLetterQueue',
        'CustomerDataApi-dev-PromoEventsQueue',
      ],
      [
        'CustomerDataApi-dev-PromoEventsBusDeadLetterQueue',
        'CustomerDataApi-dev-PromoEventsBusQueue',
      ],
    ]);
    expect(await drain('queue')).toEqual([...BODIES, 'no event'].sort());
    expect(await drain('busQueue')).toHaveLength(2);
    expect(await drain('deadLetters')).toEqual([]);
    note('Only one kind has letters, and nobody is asked for an author.');
    await send('busDeadLetters', NEWS);
    answer({ GetCallerIdentity: undefined });
    await run(`queue redrive --stack ${STACK} --yes --json 2>&1 | cat`);
    await ends(`queue redrive --stack ${STACK} --yes`);
  },
);

scenario(
  'queue/tables-fail',
  'While a table cannot be read, nothing is moved: the 14 days would begin anew.',
  async (desk) => {
    const { run, ends, answer, aws } = desk;
    const { send, drain } = await queuesOf(desk);
    await send('deadLetters', EVENTS[0] as object);
    answer({ GetItem: { __type: 'ResourceNotFoundException', message: 'No such table.' } });
    await run('queue redrive --local --yes');
    answer({ Query: { __type: 'ProvisionedThroughputExceededException', message: 'Slow.' } });
    await ends('queue redrive --local --yes', 'queue redrive --local --dry-run');
    answer({ Query: undefined });
    await ends('queue redrive --local --yes');
    expect(aws.inputsOf('StartMessageMoveTask')).toEqual([]);
    expect(await drain('deadLetters')).toHaveLength(1);
  },
);

scenario(
  'queue/ends-early',
  'A task that fails or is cancelled, and a command that is interrupted, say how far it came.',
  async (desk) => {
    const { run, ends, answer, aws, note } = desk;
    const { send } = await queuesOf(desk);
    await send('deadLetters', ...EVENTS);
    const StartedTimestamp = Date.now() + 60_000;
    const task = (Status: string, moved: number, others: object = {}) => ({
      Results: [{ Status, StartedTimestamp, ApproximateNumberOfMessagesMoved: moved, ...others }],
    });
    const StartMessageMoveTask = { TaskHandle: 'one' };
    const lists = (...all: object[]) => ({ ListMessageMoveTasks: [{}, {}, ...all] as never });
    const FailureReason = 'AWS.SimpleQueueService.NonExistentQueue';
    note('The task fails.');
    answer({
      StartMessageMoveTask,
      ...lists(task('RUNNING', 3), task('FAILED', 7, { FailureReason })),
    });
    await run('queue redrive --local --yes');
    note('Somebody cancels it.');
    answer({
      StartMessageMoveTask,
      ...lists(task('RUNNING', 3), task('CANCELLING', 4), task('CANCELLED', 5)),
    });
    await ends('queue redrive --local --yes --json');
    note('Ctrl-C is pressed: SQS goes on.');
    answer({
      StartMessageMoveTask: () => {
        process.emit('SIGINT');
        return StartMessageMoveTask;
      },
      ...lists(task('RUNNING', 3)),
    });
    await run('queue redrive --local --yes');
    note('SQS lists an earlier task, or none yet.');
    const earlier = task('COMPLETED', 400, { StartedTimestamp: Date.now() - 60_000 });
    answer({ StartMessageMoveTask, ...lists(earlier, {}, task('COMPLETED', 25)) });
    await ends('queue redrive --local --yes');
    note('SQS moves them already: the task is followed, and none is started.');
    const running = task('RUNNING', 3);
    const tasks = [running, {}, running, task('COMPLETED', 25)] as never;
    answer({ ListMessageMoveTasks: tasks, GetQueueAttributes: lengthOf(0) });
    await run('queue redrive --local', 'y');
    expect(aws.inputsOf('StartMessageMoveTask')).toEqual([]);
    note('Somebody else starts one at the same moment.');
    const __type = 'UnsupportedOperation';
    answer({ StartMessageMoveTask: { __type, message: 'There is already a task running.' } });
    await run('queue redrive --local --yes');
    note('The second queue is not permitted.');
    await send('busDeadLetters', NEWS);
    answer({
      StartMessageMoveTask: (input, passOn) =>
        String(input.SourceArn).includes('Bus') ? undefined : passOn(),
    });
    await run('queue redrive --local --yes');
  },
);

const emptied = async ({ service }: Desk) => {
  const { queue, busQueue } = await service.messages();
  return queue + busQueue === 0;
};

scenario(
  'queue/stored',
  'What is moved is stored and published once; what was erased between is dropped.',
  async (desk) => {
    const { ends, note, service } = desk;
    const { put, send, letterOf, published, drain } = await queuesOf(desk);
    const recent = { receivedAt: inMinutes(-60) };
    const moved = ['ann', 'joe'].map((user) => eventOf(user, recent));
    await send('deadLetters', ...moved, ...moved);
    for (const user of ['kim', 'sue']) await put({ ...itemOf(user), ...recent });
    await send('busDeadLetters', letterOf('kim'), letterOf('sue'), letterOf('gone'), NEWS);
    await ends(
      'user erase demo --local --user joe --yes',
      'user erase demo --local --user sue --yes',
      'queue redrive --local --yes',
    );
    await vi.waitUntil(() => emptied(desk), { interval: 5 });
    const stored = (await service.promoEvents()).map(({ userId, kind }) => `${userId} ${kind}`);
    expect(stored.sort()).toEqual(['ann applied', 'kim applied']);
    const events = (await published()).map(({ source, detail }) => `${source} ${detail.userId}`);
    expect(events.sort()).toEqual([
      `${CONFIGURATIONS_SOURCE} undefined`,
      `${PROMO_EVENTS_SOURCE} kim`,
    ]);
    note('A repeated move changes nothing.');
    await send('deadLetters', ...moved);
    await ends('queue redrive --local --yes');
    await vi.waitUntil(() => emptied(desk), { interval: 5 });
    expect(await service.promoEvents()).toHaveLength(2);
    expect(await drain('deadLetters')).toEqual([]);
  },
  { storesQueued: true },
);

scenario('queue/approximate', 'SQS counts none, and somebody presses Ctrl-C.', async (desk) => {
  const { run, answer } = desk;
  const { send } = await queuesOf(desk);
  await send('deadLetters', EVENTS[0] as object);
  answer({ GetQueueAttributes: lengthOf(0) });
  await run('queue show --local');
  await run('queue redrive --local --yes');
  answer();
  await run('queue redrive --local', CTRL_C);
});

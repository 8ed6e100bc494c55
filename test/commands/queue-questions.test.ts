import { PassThrough } from 'node:stream';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommandLine } from '../../cli/command-line.ts';
import { customerData } from '../support/command-line.ts';
import { pipeDeadLetter } from '../support/pipe-dead-letter.ts';
import { eventOf } from '../support/promo-event.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

async function send(QueueUrl: string, MessageBody: string): Promise<string> {
  const { MessageId = '' } = await service.sqs.send(
    new SendMessageCommand({ QueueUrl, MessageBody }),
  );
  return MessageId;
}

test.each(['redrive', 'replay'])('queue %s asks nothing if there are no events', async (name) => {
  const args = ['queue', name, '--outputs', service.outputsFile];
  const { code, stdout, stderr } = await customerData(args, { isTerminal: true, typed: 'n\n' });
  expect(stderr).toMatch(/^The dead-letter queue .*is empty\.$/m);
  expect(stderr).not.toContain('[y/N]');
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
});

test.each([
  ['redrive', 'PromoEventsDeadLetterQueueUrl'],
  ['replay', 'PromoEventsBusDeadLetterQueueUrl'],
] as const)('queue %s --remove asks also if there are no promo events', async (name, queue) => {
  const id = await send(service.outputs[queue], '{}');
  const args = ['queue', name, '--remove', id, '--outputs', service.outputsFile];
  const { code, stdout, stderr } = await customerData(args, { isTerminal: true, typed: 'y\n' });
  expect(stderr).toMatch(/Remove 1 (message|dead letter) for good\? \[y\/N\]/);
  expect(stdout).toMatch(/^Removed /m);
  expect(code).toBe(0);
});

test('queue redrive --remove moves no promo event back, and queue show --inspect shows what it would remove', async () => {
  const deadLetters = service.outputs.PromoEventsDeadLetterQueueUrl;
  await send(deadLetters, JSON.stringify(eventOf('joe')));
  const id = await send(deadLetters, '{"some":"thing"}');
  const target = ['--json', '--outputs', service.outputsFile];
  const promoEvents = [expect.objectContaining({ clientId: 'demo', count: 1 })];
  const shown = await customerData(['queue', 'show', '--inspect', ...target]);
  const content = '{"some":"thing"}';
  expect(JSON.parse(shown.stdout).deadLetters).toMatchObject({
    ...{ promoEvents, others: [{ messageId: id, content }] },
  });
  const removed = await customerData(['queue', 'redrive', '--remove', id, '--yes', ...target]);
  expect(JSON.parse(removed.stdout)).toEqual({
    removed: [id],
    deadLetters: { promoEvents, others: [], unread: 0 },
    queue: { waiting: 0 },
  });
});

describe('a signal is a no', () => {
  beforeAll(async () => {
    await service.applyPromoCode();
    const { PromoEventsDeadLetterQueueUrl, PromoEventsBusDeadLetterQueueUrl } = service.outputs;
    await send(PromoEventsDeadLetterQueueUrl, JSON.stringify(eventOf('jane')));
    const { outputs } = service;
    await send(PromoEventsBusDeadLetterQueueUrl, await pipeDeadLetter(outputs, 1, 1));
  });

  test.each([
    ['queue redrive', 'Move them back to the queue?', 'Nothing was changed.'],
    ['queue replay', 'Publish them on the event bus?', 'Nothing was changed.'],
    ['user erase --client demo --user jane', 'Erase them?', 'Nothing was removed.'],
  ])(
    'at the question of %s: %s',
    async (command, question, expected) => {
      const stream = () => Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
      const terminal = { stdin: stream(), stdout: stream(), stderr: stream() };
      const args = [...command.split(' '), '--outputs', service.outputsFile];
      const ended = runCommandLine(args, terminal).finally(() => terminal.stderr.end());
      let shown = '';
      let isAsked = false;
      for await (const chunk of terminal.stderr) {
        shown += chunk;
        if (isAsked || !shown.includes('[y/N]')) continue;
        isAsked = true;
        process.emit('SIGINT');
      }
      expect(await ended).toBe(1);
      expect(shown).toContain(`Local server: ${question} [y/N] `);
      expect(shown).toContain(expected);
    },
    20_000,
  );
});

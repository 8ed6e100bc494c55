import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { customerData } from '../support/command-line.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const doctor = (...args: readonly string[]) =>
  customerData(['doctor', '--outputs', service.outputsFile, ...args]);

describe('doctor on the local server', () => {
  test('finds nothing wrong with the examples', async () => {
    const { code, stdout, stderr } = await doctor();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      'note      permissions  Does not apply: the local server permits everything.',
      'note      gateway logs Does not apply: the local server has no gateway logs.',
      'note      concurrency  Does not apply: the local server has no limit.',
      'note      alarms       Does not apply: the local server has no alarms.',
      'ok        queues       There are no dead letters.',
      'ok        clients      The configurations and keys of 2 clients are valid.',
      '',
    ]);
  });

  test('names clients that admit nobody, lost their separation or have errors, and dead letters', async () => {
    const own = service.outputs.UserPoolClientId;
    const good = { fields: [], lastFieldId: 0, userPoolClientIds: [own], appIds: ['key'] };
    const clients = {
      keyless: { ...good, appIds: [] },
      tokenless: { ...good, userPoolClientIds: [] },
      open: { ...good, userPoolClientIds: undefined },
      misspelled: { ...good, userPoolClientIds: undefined, userPoolClientId: ['app'] },
      foreign: { ...good, userPoolClientIds: ['typo'] },
      partly: { ...good, userPoolClientIds: [own, 'typo'] },
      broken: { ...good, fields: [{ fieldType: 'date' }] },
      good,
    };
    for (const [clientId, item] of Object.entries(clients)) {
      await service.putConfig(JSON.parse(JSON.stringify({ clientId, ...item })));
    }
    const QueueUrl = service.outputs.PromoEventsDeadLetterQueueUrl;
    await service.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }));

    const { code, stdout, stderr } = await doctor();
    expect({ code, stderr }).toEqual({ code: 1, stderr: '9 problems, 0 unchecked.\n' });
    const problems = stdout.split('\n').filter((line) => line.startsWith('problem'));
    expect(problems.map((line) => line.replace(/^\w+ +/, '')).sort()).toEqual([
      expect.stringMatching(/^clients +broken has 1 error\. See clients show broken\.$/),
      expect.stringMatching(
        /^clients +foreign admits nobody: the deployment has no app client typo\. Correct userPoolClientIds with clients set-app-clients foreign\.$/,
      ),
      expect.stringMatching(
        /^clients +keyless admits nobody: appIds contains no string, so every request is refused; /,
      ),
      expect.stringMatching(
        /^clients +misspelled admits nobody: userPoolClientIds is missing, and userPoolClientId looks/,
      ),
      expect.stringMatching(/^clients +misspelled has 1 error\. /),
      expect.stringMatching(
        /^clients +open lacks userPoolClientIds: it accepts the tokens of the apps of all clients\. Name its own with clients set-app-clients open\.$/,
      ),
      expect.stringMatching(/^clients +partly expects too many app clients: /),
      expect.stringMatching(
        /^clients +tokenless admits nobody: userPoolClientIds contains no id of an app client, /,
      ),
      expect.stringMatching(
        /^queues +The dead-letter queue has 1 promo event, not stored\. See queue show --outputs /,
      ),
    ]);
  });

  test('counts dead letters that somebody has in flight, too', async () => {
    const QueueUrl = service.outputs.PromoEventsDeadLetterQueueUrl;
    const sent = () => service.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }));
    const count = async () =>
      Number(/queue has (\d+) promo event/.exec((await doctor()).stdout)?.[1] ?? 0);
    const before = await count();
    await sent();
    await sent();
    await service.sqs.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 600 }));
    expect(await count()).toBe(before + 2);
  });

  test('prints a JSON document for each diagnosis', async () => {
    const { stdout } = await doctor('--json');
    const all = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(new Set(all.flatMap((one) => Object.keys(one)))).toEqual(
      new Set(['check', 'status', 'message']),
    );
  });
});

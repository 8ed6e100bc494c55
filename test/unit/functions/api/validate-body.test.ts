import middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { envelope } from '../../../../functions/api/envelope.ts';
import { validateBody } from '../../../../functions/api/validate-body.ts';

/* Bodies that the gateway passes on in base64. The deployed API never does, so no HTTP test covers them. */

const answer = async (body: string | null) => {
  const handler = middy<APIGatewayProxyEvent>()
    .use(envelope())
    .use(validateBody(v.object({ clientId: v.string() })))
    .handler(async ({ request }) => request);
  const event = { body, isBase64Encoded: true, warnings: [] } as unknown as Parameters<
    typeof handler
  >[0];
  const { response } = await handler(event, {} as Context);
  const { statusCode, body: answered } = response;
  return { statusCode, data: JSON.parse(answered).data };
};

const base64 = (text: string | number[]) => Buffer.from(text as string).toString('base64');

test('a body in base64 is decoded', async () => {
  expect(await answer(base64('{"clientId":"é"}'))).toEqual({
    statusCode: 200,
    data: { clientId: 'é' },
  });
});

test.each([
  ['not base64', '{"clientId":"demo"}', 400],
  ['base64 of bytes that are not UTF-8', base64([0x22, 0xff, 0x22]), 400],
  ['base64 of a byte order mark', base64('\uFEFF{}'), 400],
  ['nothing', null, 400],
  ['17 KB', base64(' '.repeat(17 * 1024)), 413],
])('a body that is said to be base64 and is %s', async (_, body, status) => {
  expect((await answer(body)).statusCode).toBe(status);
});

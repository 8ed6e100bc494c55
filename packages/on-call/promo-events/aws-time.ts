import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

/** No event has this key: identifiers contain no control characters. */
const NO_EVENT = { clientId: '\u0000', eventId: '\u0000' };

/**
 * Returns the time of AWS, in whole seconds: the `Date` of a response of DynamoDB. The service
 * dates promo events by AWS's clocks, and the clock of an operator's machine can be wrong.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.LowLevelAPI.html
 *
 * @param promoEventsTable the name of a PromoEvents table, in which a read finds nothing.
 */
export async function awsTime(
  documentClient: DynamoDBDocumentClient,
  promoEventsTable: string,
): Promise<Date> {
  let date: string | undefined;
  const read = new GetCommand({ TableName: promoEventsTable, Key: NO_EVENT });
  read.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { headers = {} } = result.response as { headers?: Record<string, string> };
      date = headers.date;
      return result;
    },
    { step: 'deserialize' },
  );
  await documentClient.send(read);
  const time = new Date(date ?? '');
  if (Number.isNaN(time.getTime())) throw new Error('The response of DynamoDB has no Date.');
  return time;
}

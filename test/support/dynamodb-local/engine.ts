import { randomBytes } from 'node:crypto';
import { createServer, request, type Server } from 'node:http';
import { pipeline } from 'node:stream';

/**
 * The engine that the tests run on: undefined for the embedded one; where `DYNAMODB_ENDPOINT` is set, a server that
 * passes everything on to the DynamoDB Local there. Each has its own database in it.
 */
export function engineOfTheRun(): Server | undefined {
  const endpoint = process.env.DYNAMODB_ENDPOINT;
  return endpoint ? passingOnTo(new URL(endpoint)) : undefined;
}

function passingOnTo({ hostname, port }: URL): Server {
  // DynamoDB Local keeps a database for each access key, and does not look at signatures.
  const accessKeyId = randomBytes(8).toString('hex');
  return createServer((incoming, response) => {
    const { method, url: path, headers } = incoming;
    const authorization = headers.authorization?.replace(
      /Credential=\w+/,
      `Credential=${accessKeyId}`,
    );
    const outgoing = request(
      { hostname, port, method, path, headers: { ...headers, authorization } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        pipeline(answer, response, () => {});
      },
    );
    outgoing.on('error', () => response.destroy());
    pipeline(incoming, outgoing, () => {});
  });
}

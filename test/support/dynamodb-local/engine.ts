import { randomBytes } from 'node:crypto';
import { createServer, request, type Server } from 'node:http';
import { pipeline } from 'node:stream';

/**
 * The DynamoDB that the tests run on: undefined for the embedded one. If `DYNAMODB_ENDPOINT` is
 * set, a proxy of the DynamoDB Local at that endpoint. Each proxy has a database of its own there.
 */
export function engineOfTheRun(): Server | undefined {
  const endpoint = process.env.DYNAMODB_ENDPOINT;
  return endpoint ? createProxy(new URL(endpoint)) : undefined;
}

function createProxy({ hostname, port }: URL): Server {
  // DynamoDB Local has a database per access key, and does not check signatures.
  const accessKeyId = randomBytes(8).toString('hex');
  return createServer((incoming, response) => {
    const { method, url: path, headers } = incoming;
    const authorization = headers.authorization?.replace(
      /Credential=\w+/,
      `Credential=${accessKeyId}`,
    );
    const outgoing = request(
      { hostname, port, method, path, headers: { ...headers, authorization } },
      (proxied) => {
        // The caller closed the connection.
        if (response.destroyed) return void proxied.resume();
        response.writeHead(proxied.statusCode ?? 0, proxied.headers);
        pipeline(proxied, response, () => {});
      },
    );
    outgoing.on('error', () => response.destroy());
    pipeline(incoming, outgoing, () => {});
  });
}

import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

type Handler = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

/** Serves a function on this machine, as an HTTP API does. Pages of any origin may call it. */
export function httpApi(handler: Handler): Server {
  return createServer(async (request, response) => {
    const { method = '', headers, url = '' } = request;
    const { pathname: path, searchParams } = new URL(url, 'http://api');
    const cors = {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, Device-Id, Installation-Id',
    };
    if (method === 'OPTIONS') return void response.writeHead(204, cors).end();
    const event = {
      headers,
      queryStringParameters: Object.fromEntries(searchParams),
      requestContext: { http: { method, path } },
      body: await text(request),
    };
    const answer = await handler(event as never);
    response.writeHead(answer.statusCode ?? 200, { ...cors, ...(answer.headers as object) });
    response.end(answer.body);
  });
}

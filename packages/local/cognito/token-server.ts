import { createServer, type Server } from 'node:http';
import type { Issuer } from 'customer-data-api-deployment/local';
import { signIdToken } from 'customer-data-api-deployment/local';

/**
 * Creates a server of ID tokens for apps under development: `GET ?user=jane` answers with a token
 * that is valid for an hour, as text. Without `user`, it is one of `demo-user`.
 */
export function createTokenServer(issuer: Issuer): Server {
  return createServer(async (request, response) => {
    if (request.method !== 'GET') {
      response.writeHead(405, { Allow: 'GET' }).end();
      return;
    }
    const { searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const token = await signIdToken(issuer, { user: searchParams.get('user') ?? 'demo-user' });
    const { origin } = request.headers;
    response
      .writeHead(200, {
        'Content-Type': 'text/plain',
        'Cache-Control': 'no-store',
        ...(origin !== undefined && { 'Access-Control-Allow-Origin': origin, Vary: 'Origin' }),
      })
      .end(token);
  });
}

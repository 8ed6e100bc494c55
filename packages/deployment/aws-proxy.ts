import { Agent as HttpAgent } from 'node:http';
import { Agent } from 'node:https';
import { NodeHttpHandler } from '@smithy/node-http-handler';

/**
 * Makes what sends the requests of an SDK client through the proxy of the environment, as the AWS
 * CLI does. By itself, the SDK uses none.
 *
 * @param keepAlive false closes each connection after its request.
 */
export function throughProxy(keepAlive = true): NodeHttpHandler {
  const options = { keepAlive, maxSockets: 50, proxyEnv: process.env };
  return new NodeHttpHandler({
    httpAgent: new HttpAgent(options),
    httpsAgent: new Agent(options),
  });
}

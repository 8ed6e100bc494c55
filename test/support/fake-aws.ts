import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { cbor } from '@smithy/core/cbor';
import { close, listen } from '../../local/listen.ts';

/** Answers a call: an object in the protocol's JSON, or the XML below the result of an action; undefined refuses it. */
export type Answers = Readonly<Record<string, object | string | undefined>>;

/**
 * Starts a server that answers calls to AWS's control planes by the name of the operation, in whichever protocol the SDK
 * uses. An operation without an answer is refused as by IAM.
 */
export async function startFakeAws() {
  let answers: Answers = {};
  const calls: string[] = [];
  const signedBy: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const operation = operationOf(request, body);
    calls.push(operation);
    signedBy.push(signerOf(request));
    const answer = answers[operation];
    const isCbor = request.headers['smithy-protocol'] === 'rpc-v2-cbor';
    response.statusCode = answer === undefined ? 403 : 200;
    if (isCbor) {
      response.setHeader('smithy-protocol', 'rpc-v2-cbor');
      response.setHeader('content-type', 'application/cbor');
      response.end(cbor.serialize(answer ?? { __type: 'AccessDenied', message: REFUSED }));
    } else if (typeof answer === 'string' || isQuery(request)) {
      response.end(answer === undefined ? refusedXml : inXml(operation, String(answer)));
    } else {
      if (answer === undefined) response.setHeader('x-amzn-errortype', 'AccessDeniedException');
      response.end(JSON.stringify(answer ?? { message: REFUSED }));
    }
  });
  const endpoint = await listen(server);
  return {
    endpoint,
    /** The operations that were called. */
    calls,
    /** By which key each call was signed, and for which region: `AKIDEXAMPLE eu-central-1`. */
    signedBy,
    answer: (next: Answers) => {
      answers = next;
      calls.length = 0;
      signedBy.length = 0;
    },
    stop: () => close(server),
  };
}

const REFUSED = 'You are not authorized.';
const refusedXml = `<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>${REFUSED}</Message></Error></ErrorResponse>`;

function isQuery({ headers }: IncomingMessage): boolean {
  return headers['content-type'] === 'application/x-www-form-urlencoded';
}

function signerOf({ headers: { authorization = '' } }: IncomingMessage): string {
  const [, key, region] = /Credential=([^/]+)\/\d+\/([^/]+)\//.exec(authorization) ?? [];
  return `${key} ${region}`;
}

function operationOf(request: IncomingMessage, body: Buffer): string {
  const { url = '', headers } = request;
  const target = headers['x-amz-target'];
  if (typeof target === 'string') return target.replace(/.*\./, '');
  if (isQuery(request)) return new URLSearchParams(body.toString()).get('Action') ?? '';
  return /\/operation\/(\w+)/.exec(url)?.[1] ?? url.replace(/\?.*/, '');
}

function inXml(operation: string, result: string): string {
  return `<${operation}Response><${operation}Result>${result}</${operation}Result></${operation}Response>`;
}

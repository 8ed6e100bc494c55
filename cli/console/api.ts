import * as v from 'valibot';
import { ClientId } from '../../core/identifiers.ts';
import { UsageError } from '../../core/user-error.ts';
import type { Call } from './call.ts';
import type { Caller } from './caller.ts';
import { publishDraft, restoreVersion, reviewDraft, reviewRestoration } from './changes.ts';
import {
  listedClients,
  showAppIds,
  showClient,
  showDeployment,
  showPermission,
} from './clients.ts';
import { codes, codesAsCsv } from './codes.ts';
import { problems } from './problems.ts';
import { failed, failureOf } from './responses.ts';
import { listedVersions, showVersion } from './versions.ts';

type Handler = (call: Call) => Promise<Response>;

const CLIENT = '/clients/(?<client>[^/]+)';
const VERSION = `${CLIENT}/versions/(?<version>[1-9]\\d{0,14})`;

/** The requests that the API answers: method, pattern of the path below `/api`, and handler. */
export const ROUTES: readonly (readonly [method: string, path: string, handle: Handler])[] = [
  ['GET', '/deployment', showDeployment],
  ['GET', '/problems', problems],
  ['GET', '/clients', listedClients],
  ['GET', CLIENT, showClient],
  ['GET', `${CLIENT}/permission`, showPermission],
  ['GET', `${CLIENT}/app-ids`, showAppIds],
  ['GET', `${CLIENT}/codes`, codes],
  ['GET', `${CLIENT}/codes[.]csv`, codesAsCsv],
  ['POST', `${CLIENT}/review`, reviewDraft],
  ['POST', `${CLIENT}/publish`, publishDraft],
  ['GET', `${CLIENT}/versions`, listedVersions],
  ['GET', VERSION, showVersion],
  ['POST', `${VERSION}/review`, reviewRestoration],
  ['POST', `${VERSION}/restore`, restoreVersion],
];

/** Answers a request to the API of the console. Throws the error of a defect. */
export async function api(request: Request, caller: Caller): Promise<Response> {
  const { pathname, searchParams: query } = new URL(request.url);
  for (const [method, path, handle] of ROUTES) {
    const match = new RegExp(`^/api${path}$`).exec(pathname);
    if (!match) continue;
    if (method !== request.method) return failed(405, 'wrongMethod', `Send ${method}.`);
    const { client, version } = match.groups ?? {};
    try {
      const clientId = client === undefined ? '' : readClientId(client);
      return await handle({ caller, request, clientId, version: Number(version), query });
    } catch (error) {
      return failureOf(error);
    }
  }
  return failed(404, 'noSuchPath', 'The console has no such path.');
}

/** Reads a client id from a segment of a path. Throws UsageError. */
function readClientId(segment: string): string {
  try {
    return v.parse(ClientId, decodeURIComponent(segment));
  } catch {
    throw new UsageError('The path names no client.');
  }
}

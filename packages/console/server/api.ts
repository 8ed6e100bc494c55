import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import {
  addOneAppId,
  createNewClient,
  removeOne,
  revokeOneAppId,
  setAccess,
  showAccess,
  showAppIdUses,
  takeOverRefusedAppIds,
} from './access.ts';
import type { Env } from './call.ts';
import { publishChange, reviewChange } from './changes.ts';
import { listedClients, listedFindings, showClient } from './clients.ts';
import { codes, codesAsCsv } from './codes.ts';
import { problems, showDeployment } from './deployment.ts';
import { failed, failureOf } from './failures.ts';
import { openFile, writeFile } from './files.ts';
import { rolloutCounts } from './rollout.ts';
import { compareVersions, listedVersions, openCandidate, showVersion } from './versions.ts';

/** The largest item has 3.2 MB as a file in YAML: a null of two bytes is a line. */
const MAX_BODY_BYTES = 4_000_000;

/**
 * The API of the console: `api.fetch(request, caller)` answers a request, or throws the error of a
 * defect. `:client` is a client id, encoded as a segment of a path.
 */
export const api = new Hono<Env>()
  .basePath('/api')
  .use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () =>
        failed(
          413,
          'tooLarge',
          `A request or a file has at most ${MAX_BODY_BYTES / 1_000_000} MB.`,
        ),
    }),
  )
  .get('/deployment', showDeployment)
  .get('/problems', problems)
  .get('/rollout-counts', rolloutCounts)
  .get('/clients', listedClients)
  .get('/clients/:client', showClient)
  .post('/clients', createNewClient)
  .get('/findings', listedFindings)
  .get('/clients/:client/access', showAccess)
  .get('/clients/:client/app-ids/uses', showAppIdUses)
  .post('/clients/:client/app-ids', addOneAppId)
  .post('/clients/:client/app-ids/revoke', revokeOneAppId)
  .post('/clients/:client/app-ids/take-over', takeOverRefusedAppIds)
  .post('/clients/:client/app-clients', setAccess)
  .post('/clients/:client/remove', removeOne)
  .get('/clients/:client/versions', listedVersions)
  .get('/clients/:client/comparison', compareVersions)
  .get('/clients/:client/versions/:version{[1-9][0-9]{0,9}}', showVersion)
  .get('/clients/:client/versions/:version{[1-9][0-9]{0,9}}/candidate', openCandidate)
  .get('/clients/:client/codes', codes)
  .get('/clients/:client/codes.csv', codesAsCsv)
  .post('/clients/:client/review', reviewChange)
  .post('/clients/:client/publish', publishChange)
  .post('/clients/:client/file', writeFile)
  .post('/clients/:client/open', openFile)
  .notFound(() => failed(404, 'noSuchPath', 'The console has no such path.'))
  .onError((error, call) => failureOf(error, call));

import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import {
  addOneAppId,
  createNewClient,
  nameOneAppId,
  removeOne,
  revokeOneAppId,
  setAccess,
  showAccess,
  showAppIdUses,
} from './access.ts';
import { clientIdOf, type Env, json } from './call.ts';
import { listedClients, listedFindings, showClient } from './clients.ts';
import { codeRefusals, codes, codesAsCsv } from './codes.ts';
import { onCallChecks, showDeployment } from './deployment.ts';
import { publishDraft, showPublication, showReview } from './drafts.ts';
import { failed, failureOf } from './failures.ts';
import { openFile, writeFile } from './files.ts';
import {
  compareVersions,
  listedVersions,
  openCandidate,
  openUndo,
  showFields,
  showOptions,
  showVersion,
} from './versions.ts';

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
  .post('/clients/:client/*', async (call, next) => {
    await next();
    call.env.found.changed(clientIdOf(call));
  })
  .get('/deployment', json(showDeployment))
  .get('/checks', json(onCallChecks))
  .get('/clients', json(listedClients))
  .get('/clients/:client', json(showClient))
  .post('/clients', json(createNewClient))
  .get('/findings', json(listedFindings))
  .get('/clients/:client/access', json(showAccess))
  .get('/clients/:client/app-ids/uses', json(showAppIdUses))
  .post('/clients/:client/app-ids', json(addOneAppId))
  .post('/clients/:client/app-ids/name', json(nameOneAppId))
  .post('/clients/:client/app-ids/revoke', json(revokeOneAppId))
  .post('/clients/:client/app-clients', json(setAccess))
  .post('/clients/:client/remove', json(removeOne))
  .get('/clients/:client/versions', json(listedVersions))
  .get('/clients/:client/comparison', json(compareVersions))
  .get('/clients/:client/versions/:version{[1-9][0-9]{0,9}}', json(showVersion))
  .get('/clients/:client/versions/:version{[1-9][0-9]{0,9}}/candidate', json(openCandidate))
  .get('/clients/:client/versions/:version{[1-9][0-9]{0,9}}/undo', json(openUndo))
  .get('/clients/:client/fields/:digest{[0-9a-f]{12}}', json(showFields))
  .get('/clients/:client/options/:field', json(showOptions))
  .get('/clients/:client/codes', json(codes))
  .get('/clients/:client/codes.csv', codesAsCsv)
  .get('/clients/:client/codes/refusals', json(codeRefusals))
  .post('/clients/:client/review', json(showReview))
  .post('/clients/:client/publish', json(publishDraft))
  .get('/clients/:client/publish/:id', json(showPublication))
  .post('/clients/:client/file', json(writeFile))
  .post('/clients/:client/open', json(openFile))
  .notFound(() => failed(404, 'noSuchPath', 'The console has no such path.'))
  .onError((error, call) => failureOf(error, call));

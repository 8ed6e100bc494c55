import { openDraft, writeDraft } from 'customer-data-api-editor/configurations';
import * as v from 'valibot';
import { type Call, clientIdOf, readBase, readBody } from './call.ts';

const Fields = v.object({ fields: v.array(v.unknown()), language: v.optional(v.unknown()) });

/** Writes a draft as a configuration file. */
export async function writeFile(call: Call) {
  const clientId = clientIdOf(call);
  const draft = { clientId, base: readBase(call), ...(await readBody(call, Fields)) };
  const text = await writeDraft(call.env.tables, draft);
  return { text };
}

const FileToOpen = v.strictObject({
  text: v.string(),
  /** Opens the file of another stage or client, in place of what is live. */
  asCopy: v.exactOptional(v.boolean()),
});

/** Opens the text of a file as a draft. */
export async function openFile(call: Call) {
  const clientId = clientIdOf(call);
  const { text, asCopy } = await readBody(call, FileToOpen);
  return openDraft(call.env.tables, clientId, text, asCopy);
}

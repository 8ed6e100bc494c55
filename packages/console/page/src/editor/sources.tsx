import { counted } from 'customer-data-api/configuration';
import { type Parts, say, withQuotes } from 'customer-data-api/sentences';
import { useState } from 'preact/hooks';
import type {
  ChangedId,
  Client,
  Clients,
  Conflict,
  DraftFile,
  FailureBody,
  OpenedFile,
} from '../answers.ts';
import { clientPath, save, send, useLoaded } from '../api.ts';
import { asMap, copyOf } from '../draft/draft.ts';
import type { StoredDraft } from '../draft/use-draft.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Alert, FailureText, Wait } from '../parts/failure.tsx';
import { FileButton } from '../parts/file-button.tsx';
import { Labeled } from '../parts/labeled.tsx';
import { Popup } from '../parts/popup.tsx';
import { Sentence, Sentences } from '../parts/sentences.tsx';
import { TextArea } from '../parts/text-input.tsx';
import { RestoreInstead } from '../publish/conflict.tsx';
import { TEXTS } from '../texts.ts';

interface Props {
  readonly client: Client;
  readonly stored: StoredDraft;
}

/** Leads to other places that fields come from or go to: another client, and files. */
export function Sources({ client, stored }: Props) {
  const { clientId } = client;
  const [dialog, setDialog] = useState<'copy' | 'open'>();
  const [failure, setFailure] = useState<FailureBody>();
  const { draft } = stored;
  const download = async () => {
    const { fields, language } = draft;
    const body = { fields, language };
    const file = await send<DraftFile>(`${clientPath(clientId)}/file`, draft.from.base, body);
    setFailure(file.failure);
    if (file.value) save(file.value.text, `${clientId}.yaml`);
  };
  const close = () => setDialog(undefined);
  return (
    <>
      <Popup class="menu" summary="More">
        <div>
          <Button class="text" onClick={() => setDialog('copy')}>
            Copy fields of a client…
          </Button>
          <Button class="text" onClick={() => setDialog('open')}>
            Open a file…
          </Button>
          <Button class="text" onClick={download}>
            Download the draft as a file
          </Button>
        </div>
      </Popup>
      {failure && <FailureText failure={failure} retry={download} />}
      {dialog === 'copy' && <CopyDialog {...{ client, stored }} onClose={close} />}
      {dialog === 'open' && <OpenDialog {...{ client, stored }} onClose={close} />}
    </>
  );
}

interface DialogProps extends Props {
  readonly onClose: () => void;
}

/** Copies fields of another client, or of this one, with their translations and without ids. */
function CopyDialog({ client: { clientId }, stored: { draft, copy }, onClose }: DialogProps) {
  const { value, failure, reload } = useLoaded<Clients>('clients');
  const [from, setFrom] = useState('');
  const source = useLoaded<Client>(from === '' ? undefined : clientPath(from));
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const fields = Array.isArray(source.value?.fields) ? source.value.fields : [];
  const language = source.value?.language;
  const isOther = (language ?? draft.language) !== (draft.language ?? language);
  const choose = (index: number, isChosen: boolean) => {
    const changed = new Set(chosen).add(index);
    if (!isChosen) changed.delete(index);
    setChosen(changed);
  };
  return (
    <Dialog title={say`Copy fields to ${clientId}`} onClose={onClose}>
      {!value && <Wait failure={failure} retry={reload} />}
      {value && (
        <Labeled label="From">
          <select
            value={from}
            onChange={({ currentTarget }) => {
              setFrom(currentTarget.value);
              setChosen(new Set());
            }}
          >
            <option value="">Choose a client</option>
            {value.clients.map((client) => (
              <option key={client.clientId}>{client.clientId}</option>
            ))}
          </select>
        </Labeled>
      )}
      {from !== '' && !source.value && <Wait failure={source.failure} retry={source.reload} />}
      {source.value && fields.length === 0 && <p>This client has no fields.</p>}
      {isOther && (
        <p class="warning">
          <Sentence>
            {say`Their texts are in "${`${language}`}", and those of this client in "${`${draft.language}`}".`}
          </Sentence>
        </p>
      )}
      {fields.length > 0 && (
        <>
          <fieldset class="scroll">
            <legend>Fields, with their translations</legend>
            {fields.map((field, index) => (
              <label key={index}>
                <input
                  type="checkbox"
                  checked={chosen.has(index)}
                  onChange={({ currentTarget }) => choose(index, currentTarget.checked)}
                />
                <bdi>{String(asMap(field).fieldName || TEXTS.untitled)}</bdi>
              </label>
            ))}
          </fieldset>
          <p class="actions">
            <Button onClick={() => setChosen(new Set(fields.keys()))}>Choose all</Button>
            <Button
              class="primary"
              aria-disabled={chosen.size === 0}
              onClick={() => {
                if (chosen.size === 0) return;
                const copies = fields.filter((_, index) => chosen.has(index)).map(copyOf);
                copy(
                  copies,
                  language,
                  say`Copied ${[counted(copies.length, 'field')]} of ${from}.`,
                );
                onClose();
              }}
            >
              {`Copy ${counted(chosen.size, 'field')}`}
            </Button>
          </p>
        </>
      )}
    </Dialog>
  );
}

/** Opens a configuration file as a draft: one that is pasted, or that is on this machine. */
function OpenDialog({ client: { clientId }, stored, onClose }: DialogProps) {
  const [text, setText] = useState('');
  const [opened, setOpened] = useState<OpenedFile>();
  const [failure, setFailure] = useState<FailureBody>();
  const check = async (file: string, asCopy = false) => {
    setText(file);
    const body = { text: file, ...(asCopy && { asCopy }) };
    const answer = await send<OpenedFile>(`${clientPath(clientId)}/open`, '', body);
    setOpened(answer.value);
    setFailure(answer.failure);
    const { findings, changedIds = [] } = answer.value ?? {};
    if (answer.value && findings?.length === 0 && changedIds.length === 0) open(answer.value);
  };
  const open = ({ draft, changedIds }: OpenedFile) => {
    const what = changedIds
      ? 'Opened a copy, which replaces what is live when you publish it.'
      : 'Opened the file as a draft.';
    if (draft) stored.replace(draft, `${what} Undo brings the one before back.`);
    onClose();
  };
  const { draft, findings = [], changedIds = [] } = opened ?? {};
  const { kind, version } = failure?.conflict ?? {};
  return (
    <Dialog title={say`Open a file as the draft of ${clientId}`} onClose={onClose}>
      <FileButton
        accept=".yaml,.yml,.json"
        onRead={(file) =>
          file.text === undefined
            ? setFailure({ message: file.refusal, code: 'unreadableFile' })
            : check(file.text)
        }
      >
        Choose a file in YAML or JSON…
      </FileButton>
      <Labeled label="Or paste its text">
        <TextArea
          value={text}
          onInput={(changed) => {
            setText(changed);
            setOpened(undefined);
            setFailure(undefined);
          }}
        />
      </Labeled>
      {failure && <FailureText failure={failure} />}
      {version && <RestoreInstead {...{ clientId, version }} />}
      {findings.length > 0 && (
        <Alert>
          <p>
            {draft
              ? 'The file can be opened, but has these problems:'
              : 'This is no configuration file that can be opened:'}
          </p>
          <Sentences>{findings.map(withQuotes)}</Sentences>
        </Alert>
      )}
      {changedIds.length > 0 && (
        <Alert>
          <p>Other ids than in the file, because these were given to other questions here:</p>
          <Sentences>{changedIds.map(changedIdText)}</Sentences>
          <p>If a question was only reworded, first publish its new caption here.</p>
        </Alert>
      )}
      <footer class="actions">
        <Button class={draft ? 'outline secondary' : 'primary'} onClick={() => check(text)}>
          Check and open
        </Button>
        {kind && COPYABLE.includes(kind) && (
          <Button onClick={() => check(text, true)}>Open as a copy</Button>
        )}
        {opened?.draft && (
          <Button class="primary" onClick={() => open(opened)}>
            Open as draft
          </Button>
        )}
      </footer>
    </Dialog>
  );
}

/** The files that can be opened as a copy: those of another stage or client. */
const COPYABLE: readonly Conflict['kind'][] = ['noBase', 'unknownBase', 'otherClient'];

function changedIdText({ fieldName, from, to, had }: ChangedId): Parts {
  const given = had ? say`"${had.fieldName}" in version ${had.version}` : ['another one'];
  return say`"${fieldName}": ${to} instead of ${from}, which is ${given}`;
}

import { useState } from 'preact/hooks';
import type { Client, Clients, DraftFile, FailureBody, OpenedFile } from '../answers.ts';
import { clientPath, save, send } from '../api.ts';
import { asMap, copyOf } from '../draft.ts';
import { useLoaded } from '../loaded.ts';
import { readFile } from '../read-file.ts';
import { TEXTS } from '../texts.ts';
import type { StoredDraft } from '../use-draft.ts';
import {
  Alert,
  Button,
  Command,
  Dialog,
  FailureText,
  Sentences,
  TextArea,
  Wait,
} from './basics.tsx';
import { Labeled } from './labeled.tsx';

const texts = TEXTS.sources;

interface Props {
  readonly client: Client;
  readonly stored: StoredDraft;
}

/** Leads to other places that fields come from or go to: another client, and files. */
export function Sources({ client, stored }: Props) {
  const { clientId, commands } = client;
  const [dialog, setDialog] = useState<'copy' | 'open'>();
  const [failure, setFailure] = useState<FailureBody>();
  const { draft } = stored;
  const download = async () => {
    const { fields, language } = draft;
    const body = { fields, language };
    const file = await send<DraftFile>(`${clientPath(clientId)}/file`, draft.base, body);
    setFailure(file.failure);
    if (file.value) save(file.value.text, `${clientId}.yaml`);
  };
  const close = () => setDialog(undefined);
  return (
    <>
      <p class="actions">
        <Button onClick={() => setDialog('copy')}>{texts.copy}</Button>
        <Button onClick={() => setDialog('open')}>{texts.open}</Button>
        <Button onClick={download}>{texts.download}</Button>
      </p>
      {failure && <FailureText failure={failure} retry={download} />}
      <Command>{commands.show}</Command>
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
    <Dialog title={texts.copyTitle(clientId)} onClose={onClose}>
      {!value && <Wait failure={failure} retry={reload} />}
      {value && (
        <Labeled label={texts.from}>
          <select
            value={from}
            onChange={({ currentTarget }) => {
              setFrom(currentTarget.value);
              setChosen(new Set());
            }}
          >
            <option value="">{texts.choose}</option>
            {value.clients.map((client) => (
              <option key={client.clientId}>{client.clientId}</option>
            ))}
          </select>
        </Labeled>
      )}
      {from !== '' && !source.value && <Wait failure={source.failure} retry={source.reload} />}
      {source.value && fields.length === 0 && <p>{texts.noFields}</p>}
      {isOther && <p class="warning">{texts.otherLanguage(`${language}`, `${draft.language}`)}</p>}
      {fields.length > 0 && (
        <>
          <fieldset class="scroll">
            <legend>{texts.fields}</legend>
            {fields.map((field, index) => (
              <label key={index}>
                <input
                  type="checkbox"
                  checked={chosen.has(index)}
                  onChange={({ currentTarget }) => choose(index, currentTarget.checked)}
                />
                <span>{String(asMap(field).fieldName || TEXTS.editor.untitled)}</span>
              </label>
            ))}
          </fieldset>
          <p class="actions">
            <Button onClick={() => setChosen(new Set(fields.keys()))}>{texts.all}</Button>
            <Button
              class="primary"
              aria-disabled={chosen.size === 0}
              onClick={() => {
                if (chosen.size === 0) return;
                const copies = fields.filter((_, index) => chosen.has(index)).map(copyOf);
                copy(copies, language, texts.copied(copies.length, from));
                onClose();
              }}
            >
              {texts.copyFields(chosen.size)}
            </Button>
          </p>
        </>
      )}
      <Command>{source.value?.commands.show}</Command>
    </Dialog>
  );
}

/** Opens a configuration file as a draft: one that is pasted, or that is on this machine. */
function OpenDialog({ client: { clientId }, stored, onClose }: DialogProps) {
  const [text, setText] = useState('');
  const [opened, setOpened] = useState<OpenedFile>();
  const [failure, setFailure] = useState<FailureBody>();
  const check = async (file: string) => {
    setText(file);
    const answer = await send<OpenedFile>(`${clientPath(clientId)}/open`, '', { text: file });
    setOpened(answer.value);
    setFailure(answer.failure);
    if (answer.value?.draft && answer.value.findings.length === 0) open(answer.value);
  };
  const open = ({ draft }: OpenedFile) => {
    if (draft) stored.replace(draft, texts.opened);
    onClose();
  };
  return (
    <Dialog title={texts.openTitle(clientId)} onClose={onClose}>
      <Labeled label={texts.file}>
        <input
          type="file"
          accept=".yaml,.yml,.json"
          onChange={async ({ currentTarget: { files } }) => {
            const file = await readFile(files?.[0]);
            if (file !== undefined) await check(file);
          }}
        />
      </Labeled>
      <Labeled label={texts.paste}>
        <TextArea
          value={text}
          onInput={(changed) => {
            setText(changed);
            setOpened(undefined);
          }}
        />
      </Labeled>
      {failure && <FailureText failure={failure} />}
      {opened && (
        <Alert>
          <p>{opened.draft ? texts.hasFindings : texts.noConfiguration}</p>
          <Sentences>{opened.findings}</Sentences>
        </Alert>
      )}
      <p class="actions">
        <Button class={opened?.draft ? 'outline secondary' : 'primary'} onClick={() => check(text)}>
          {texts.check}
        </Button>
        {opened?.draft && (
          <Button class="primary" onClick={() => open(opened)}>
            {texts.openAnyway}
          </Button>
        )}
      </p>
      <Command>{opened?.command}</Command>
    </Dialog>
  );
}

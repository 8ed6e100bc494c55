import type { Sentence as Text } from 'customer-data-api/sentences';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Changed } from '../answers.ts';
import { type Answer, send } from '../api.ts';
import { TEXTS } from '../texts.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { FailureText } from './failure.tsx';
import { Labeled } from './labeled.tsx';
import { Sentence } from './sentences.tsx';
import { TextInput } from './text-input.tsx';
import { latestTime } from './time-text.tsx';

interface Props {
  readonly title: Text;
  /** The effects of the change. */
  readonly children: ComponentChildren;
  readonly submit: string;
  /** True if it locks out, stops or discards. */
  readonly isDanger?: boolean;
  /** The text that the operator has to type. */
  readonly typed?: string;
  /** The path of the API that makes the change. */
  readonly path: string;
  /** Sends it. */
  readonly by?: typeof send<Partial<Changed>>;
  readonly body: object | ((entered: Readonly<Record<string, unknown>>) => object);
  /** Inputs, whose values by name make the body. */
  readonly inputs?: ComponentChildren;
  /** Called when the dialog is closed, with true after the change. */
  readonly onClose: (isDone: boolean) => void;
}

interface ConfirmButtonProps extends Omit<Props, 'onClose'> {
  readonly name: string;
  /** Names it for those who do not see what is beside it. */
  readonly label?: string;
  readonly isDisabled?: boolean;
  /** Called when the dialog opens. */
  readonly onOpen?: () => void;
  /** Called when the dialog is closed after the change. */
  readonly onDone: () => void;
}

/** A button that asks before a change, and makes it. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { name, label, isDisabled, onOpen, onDone, ...dialog } = props;
  const [isOpen, setIsOpen] = useState(false);
  const open = () => {
    setIsOpen(true);
    onOpen?.();
  };
  const close = (isDone: boolean) => {
    setIsOpen(false);
    if (isDone) onDone();
  };
  return (
    <>
      <Button
        aria-label={label}
        aria-disabled={isDisabled}
        class={dialog.isDanger ? 'outline danger' : 'outline secondary'}
        onClick={() => !isDisabled && open()}
      >
        {name}
      </Button>
      {isOpen && <ConfirmDialog {...dialog} onClose={close} />}
    </>
  );
}

/** Asks before a change, makes it, and says from when it counts. */
export function ConfirmDialog(props: Props) {
  const {
    title,
    children,
    submit,
    isDanger,
    typed,
    path,
    by = send,
    body,
    inputs,
    onClose,
  } = props;
  const [answer, setAnswer] = useState<Answer<Partial<Changed>>>({});
  const [isBusy, setIsBusy] = useState(false);
  const [text, setText] = useState('');
  const { value, failure } = answer;
  const onSubmit = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const entered = Object.fromEntries(new FormData(event.currentTarget));
    const sent = typeof body === 'function' ? body(entered) : body;
    setIsBusy(true);
    setAnswer({});
    const done = await by(path, '', {
      ...sent,
      ...(typed && { confirm: text }),
    });
    // What counts at once needs no word about it.
    if (done.value && done.value.liveAt === undefined) return onClose(true);
    setAnswer(done);
    setIsBusy(false);
  };
  return (
    <Dialog title={title} onClose={() => onClose(value !== undefined)}>
      {value ? (
        <p class="done" role="status">
          {`Done. It takes effect by ${latestTime(value.liveAt ?? '')}.`}
        </p>
      ) : (
        <>
          {children}
          <form onSubmit={onSubmit}>
            {inputs}
            {typed !== undefined && (
              <Labeled label={<Sentence>{TEXTS.confirm(typed)}</Sentence>}>
                <TextInput value={text} onInput={setText} required />
              </Labeled>
            )}
            {failure && <FailureText failure={failure} />}
            <p class="actions">
              <button type="submit" class={isDanger ? 'danger' : ''} disabled={isBusy}>
                {submit}
              </button>
            </p>
          </form>
        </>
      )}
    </Dialog>
  );
}

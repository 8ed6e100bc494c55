import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isMap } from '../../../core/configuration/complete-field.ts';
import { readConfiguration } from '../../../core/configuration/read-configuration.ts';
import { CustomerDataField } from '../../../examples/apps/web/customer-data-form.ts';
import { type AppUi, type FormField, fieldsFor } from '../../../sdk/src/fields.ts';
import { asMap } from '../draft.ts';
import { TEXTS } from '../texts.ts';
import type { Content } from '../types.ts';
import { Button } from './basics.tsx';

export const SCREENS = ['register', 'profile'] as const satisfies readonly AppUi[];

interface Props {
  readonly content: Content;
  readonly screen: AppUi;
  readonly title?: string;
}

/**
 * A phone that shows what an app makes of the answer of getConfig, with the form of the web example.
 * It can be filled in.
 */
export function Phone({ content, screen, title }: Props) {
  const { shown, notes } = useMemo(() => onPhone(content, screen), [content, screen]);
  const form = useRef<HTMLDivElement>(null);
  const drawn = useRef(new Map<string, { json: string; element: CustomerDataField }>());
  const [result, setResult] = useState('');
  useLayoutEffect(() => {
    if (form.current) draw(form.current, drawn.current, shown);
    setResult('');
  }, [shown]);

  const submit = () => {
    // From the last on, so that the first problem has the focus.
    const isAccepted = shown
      .map(({ id }) => drawn.current.get(id)?.element)
      .toReversed()
      .map((element) => element?.check())
      .every(Boolean);
    setResult(isAccepted ? TEXTS.phone.accepted : TEXTS.phone.refused);
  };

  const name = TEXTS.editor.screens[screen];
  return (
    <section class="phone" aria-label={TEXTS.phone.label([title, name].filter(Boolean).join(', '))}>
      <p class="quiet">{[title, name].filter(Boolean).join(' · ')}</p>
      <div class="phone-screen">
        <div ref={form} />
        {shown.length === 0 && <p class="quiet">{TEXTS.phone.empty}</p>}
        {shown.length > 0 && (
          <Button class="primary" onClick={submit}>
            {TEXTS.phone.submit}
          </Button>
        )}
        <p role="status">{result}</p>
      </div>
      <ul class="quiet">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </section>
  );
}

/** Returns the fields that an app shows on a screen, and says why others are missing. */
export function onPhone(
  { fields, lastFieldId }: Content,
  screen: AppUi,
): { readonly shown: FormField[]; readonly notes: string[] } {
  const { configuration } = readConfiguration({ fields, lastFieldId });
  const [register, profile] = SCREENS.map((ui) => fieldsFor(configuration, ui));
  const here = screen === 'register' ? register : profile;
  const elsewhere = screen === 'register' ? profile : register;
  const served = new Map(configuration.fields.map((field) => [field.id, JSON.stringify(field)]));
  const notes = (Array.isArray(fields) ? fields : []).flatMap((stored) => {
    const { id, fieldName } = asMap(stored);
    const name = String(fieldName || TEXTS.editor.untitled);
    const own = servedAlone(stored);
    // Of two fields with an id, the first is served.
    if (own === undefined || served.get(String(id)) !== own) return TEXTS.phone.leftOut(name);
    const isId = (field: FormField) => field.id === id;
    if (here?.some(isId)) return [];
    const other = TEXTS.editor.screens[screen === 'register' ? 'profile' : 'register'];
    return elsewhere?.some(isId) ? TEXTS.phone.notHere(name, other) : TEXTS.phone.nowhere(name);
  });
  return { shown: here ?? [], notes };
}

/** A draft shares the fields that did not change: most of 200 fields are read once. */
const readAlone = new WeakMap<object, string>();

/** Returns a field as it is served if there is no other; undefined if it is left out. */
function servedAlone(stored: unknown): string | undefined {
  if (!isMap(stored)) return undefined;
  const known = readAlone.get(stored);
  if (known !== undefined) return known;
  const [field] = readConfiguration({ fields: [stored], lastFieldId: 0 }).configuration.fields;
  if (field) readAlone.set(stored, JSON.stringify(field));
  return readAlone.get(stored);
}

/** Draws the fields that changed, and keeps what was entered into them. */
function draw(
  form: HTMLElement,
  drawn: Map<string, { json: string; element: CustomerDataField }>,
  fields: readonly FormField[],
): void {
  const elements = fields.map((field) => {
    const json = JSON.stringify(field);
    const known = drawn.get(field.id);
    if (known?.json === json) return known.element;
    const element = known?.element ?? new CustomerDataField();
    const { answers } = element;
    element.field = field;
    if (answers[0]?.length === field.inputs.length) element.answers = answers;
    drawn.set(field.id, { json, element });
    return element;
  });
  const isSame =
    form.children.length === elements.length &&
    elements.every((element, index) => form.children[index] === element);
  if (!isSame) form.replaceChildren(...elements);
}

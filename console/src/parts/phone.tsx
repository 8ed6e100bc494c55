import { h } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { readConfiguration } from '../../../core/configuration/read-configuration.ts';
import { readField } from '../../../core/configuration/read-field.ts';
import type { CustomerDataField } from '../../../examples/apps/web/customer-data-form.ts';
import { type AppUi, type FormField, fieldsFor } from '../../../sdk/src/fields.ts';
import { asMap } from '../draft.ts';
import { TEXTS } from '../texts.ts';
import type { Content } from '../types.ts';
import { Button } from './basics.tsx';
import '../../../examples/apps/web/customer-data-form.ts';

/** A screen of an app. */
export type Screen = AppUi;
export const SCREENS = ['register', 'profile'] as const satisfies readonly Screen[];

interface ScreenTabsProps {
  readonly screen: Screen;
  readonly onChange: (screen: Screen) => void;
}

/** Chooses the screen that phones show. */
export function ScreenTabs({ screen, onChange }: ScreenTabsProps) {
  return (
    <fieldset class="actions" aria-label={TEXTS.phone.screen}>
      {SCREENS.map((one) => (
        <Button
          key={one}
          class={one === screen ? '' : 'outline'}
          aria-pressed={one === screen}
          onClick={() => onChange(one)}
        >
          {TEXTS.field.screens[one]}
        </Button>
      ))}
    </fieldset>
  );
}

interface Props {
  readonly content: Content;
  readonly screen: Screen;
  readonly title?: string;
}

/**
 * A phone that shows what an app makes of the answer of getConfig, with the form of the web example.
 * It can be filled in.
 */
export function Phone({ content, screen, title }: Props) {
  const { shown, notes } = useMemo(() => onPhone(content, screen), [content, screen]);
  const form = useRef<HTMLDivElement>(null);
  const [result, setResult] = useState('');
  useEffect(() => setResult(''), [shown]);
  const submit = () => {
    const fields = form.current?.querySelectorAll<CustomerDataField>('customer-data-field') ?? [];
    // From the last on, so that the first problem has the focus.
    const accepted = [...fields].toReversed().map((field) => field.check());
    setResult(accepted.every(Boolean) ? TEXTS.phone.accepted : TEXTS.phone.refused);
  };
  const name = [title, TEXTS.field.screens[screen]].filter(Boolean).join(' · ');
  return (
    <section class="phone" aria-label={TEXTS.phone.label(name)}>
      <p class="quiet">{name}</p>
      <div class="phone-screen" ref={form}>
        {shown.map((field) => (
          <PhoneField key={field.id} field={field} />
        ))}
        {shown.length === 0 ? (
          <p class="quiet">{TEXTS.phone.empty}</p>
        ) : (
          <Button class="primary" onClick={submit}>
            {TEXTS.phone.submit}
          </Button>
        )}
        <p role="status">{result}</p>
      </div>
      <ul class="plain quiet">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </section>
  );
}

/** A field of the form. What was entered stays when the field changes, as far as it fits. */
function PhoneField({ field }: { readonly field: FormField }) {
  const ref = useRef<CustomerDataField>(null);
  useLayoutEffect(() => {
    if (!ref.current) return;
    const { answers } = ref.current;
    ref.current.field = field;
    if (answers[0]?.length === field.inputs.length) ref.current.answers = answers;
  }, [JSON.stringify(field)]);
  return h('customer-data-field', { ref });
}

/** Returns the fields that an app shows on a screen, and says why others are missing. */
function onPhone({ fields }: Content, screen: Screen) {
  const { configuration } = readConfiguration({ fields });
  const other = screen === 'register' ? 'profile' : 'register';
  const [shown, elsewhere] = [fieldsFor(configuration, screen), fieldsFor(configuration, other)];
  const left = new Set(configuration.fields.map(({ id }) => id));
  const notes = (Array.isArray(fields) ? fields : []).flatMap((stored) => {
    const name = String(asMap(stored).fieldName || TEXTS.editor.untitled);
    const { field } = readField(stored);
    // Of two fields with an id, the first is served.
    if (!field || !left.delete(field.id)) return TEXTS.phone.leftOut(name);
    const isField = ({ id }: FormField) => id === field.id;
    if (shown.some(isField)) return [];
    return elsewhere.some(isField)
      ? TEXTS.phone.notHere(name, TEXTS.field.screens[other])
      : TEXTS.phone.nowhere(name);
  });
  return { shown, notes };
}

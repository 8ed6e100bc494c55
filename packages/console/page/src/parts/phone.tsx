import {
  counted,
  isMap,
  languageName,
  languageTag,
  listOf,
  oncePer,
  readConfiguration,
  type StoredMap,
  translateConfiguration,
} from 'customer-data-api/configuration';
import { joined, type Parts, say } from 'customer-data-api/sentences';
import { type AppUi, answersToStore, type FormField, fieldsFor } from 'customer-data-api-sdk';
import type { CustomerDataField } from 'customer-data-api-sdk/form';
import { type ComponentChildren, h } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DraftContent } from '../answers.ts';
import { asMap, changedIds } from '../draft/draft.ts';
import { languageAttributes, translatedLanguages } from '../draft/languages.ts';
import { APP_SCREENS, TEXTS } from '../texts.ts';
import { Button } from './button.tsx';
import { bringIntoView } from './dialog.tsx';
import { Names, Sentences } from './sentences.tsx';
import 'customer-data-api-sdk/form';

/** A screen of an app. */
export type Screen = AppUi;
export const SCREENS = ['register', 'profile'] as const satisfies readonly Screen[];

interface ScreenTabsProps {
  readonly screen: Screen;
  readonly onChange: (screen: Screen) => void;
  /** Another choice. */
  readonly children?: ComponentChildren;
}

/** Chooses the screen that phones show. */
export function ScreenTabs({ screen, onChange, children }: ScreenTabsProps) {
  return (
    <fieldset class="actions tabs" aria-label="Screen">
      {SCREENS.map((one) => (
        <Button key={one} class="text" aria-pressed={one === screen} onClick={() => onChange(one)}>
          {APP_SCREENS[one]}
        </Button>
      ))}
      {children}
    </fieldset>
  );
}

interface LanguageTabsProps {
  /** The language of the fields' own texts, if it is known. */
  readonly own: unknown;
  readonly translated: readonly string[];
  /** Empty for the fields' own. */
  readonly language: string;
  /** The texts that each language lacks. */
  readonly missing?: ReadonlyMap<string, readonly unknown[]>;
  readonly onChange: (language: string) => void;
}

/** Chooses the language that phones show, if there are several. */
export function LanguageTabs({ own, translated, language, missing, onChange }: LanguageTabsProps) {
  if (translated.length === 0) return null;
  return (
    <fieldset class="actions tabs" aria-label="Language">
      {['', ...translated].map((one) => {
        const lacks = missing?.get(one)?.length ?? 0;
        return (
          <Button
            key={one}
            class="text"
            aria-pressed={one === language}
            onClick={() => onChange(one)}
          >
            {one === '' ? ownName(own) : languageName(one)}
            {lacks > 0 && <span class="warning">{` ${lacks} missing`}</span>}
          </Button>
        );
      })}
    </fieldset>
  );
}

/** Names the language of the fields' own texts. */
export const ownName = (own: unknown) => (languageTag(own) ? languageName(`${own}`) : 'Your texts');

interface Props {
  readonly content: DraftContent;
  readonly screen: Screen;
  /** The language of the app; by default that of the fields' own texts. */
  readonly language?: string;
  readonly title?: string;
  /** The id of the field that is edited, which stays in view. */
  readonly edited?: unknown;
  /** The content that a picture is compared with. It shows only what differs, options too. */
  readonly other?: DraftContent;
}

/**
 * A phone that shows what an app makes of the answer of getConfig, with the form of the app SDK.
 * It can be filled in.
 */
export function Phone(props: Props) {
  const { content, screen, language = '', title, edited, other } = props;
  const formsOf = useMemo(() => formsIn(language), [language]);
  const { shown, missing } = useMemo(
    () => onPhone(content, screen, formsOf),
    [content, screen, formsOf],
  );
  const own = languageTag(content.language);
  const isPicture = other !== undefined;
  const changed = other ? changedIds(content, other) : [];
  const isPictured = ({ id }: { readonly id: unknown }) =>
    changed.length === 0 || changed.includes(id);
  const part = shown.filter(isPictured);
  const rest = shown.length - part.length;
  const notes = Object.groupBy(missing.filter(isPictured), ({ why }) => why);
  const form = useRef<HTMLDivElement>(null);
  /** The answers that the app would send; null if it would refuse them. */
  const [sent, setSent] = useState<readonly Parts[] | null>();
  useEffect(() => setSent(undefined), [shown]);
  useEffect(() => {
    if (other) openChanged(form.current, onPhone(other, screen, formsOf).shown);
  }, [shown, other]);
  useEffect(() => {
    // Only the phone scrolls: on a narrow screen, the page stays at the field's form.
    const field = form.current?.querySelector<HTMLElement>('.edited');
    form.current?.scrollTo({ top: field ? field.offsetTop - 16 : 0 });
  }, [shown, edited]);
  const submit = () => {
    const fields = [...(form.current?.querySelectorAll<CustomerDataField>(FIELD) ?? [])];
    // From the last on, so that the first problem has the focus.
    const accepted = fields.toReversed().map((field) => field.check());
    const lines = () => shown.flatMap((field, at) => sentOf(field, fields[at]?.answers ?? []));
    setSent(accepted.every(Boolean) ? lines() : null);
  };
  const name = [title, APP_SCREENS[screen]].filter(Boolean).join(' · ');
  return (
    <section class="phone" aria-label={`Phone: ${name}`}>
      {title && <p class="quiet">{name}</p>}
      <div class="phone-screen" ref={form} {...languageAttributes(language || own)}>
        <div inert={isPicture}>
          {part.map((field) =>
            h(FIELD, {
              key: field.id,
              field,
              class: field.id === edited ? 'edited' : '',
              onanswers: () => setSent(undefined),
            }),
          )}
          {shown.length === 0 && <p class="quiet">Customers are asked for nothing here.</p>}
          {rest > 0 && <p class="quiet">{`${counted(rest, 'field')} without a change`}</p>}
          {!isPicture && shown.length > 0 && <Button onClick={submit}>Continue</Button>}
        </div>
      </div>
      <div role="status">
        {sent !== undefined && (
          <div class={sent ? 'done' : 'failure'} ref={bringIntoView}>
            {sent
              ? 'The app would accept these answers and send:'
              : 'The app would not accept these answers. The phone says why.'}
            {sent && <Sentences>{sent}</Sentences>}
          </div>
        )}
      </div>
      <ul class="plain quiet">
        {Object.entries(notes).map(([why, all = []]) => (
          <li key={why}>
            {why}: <Names>{all.map(({ name }) => `"${name}"`)}</Names>
          </li>
        ))}
      </ul>
    </section>
  );
}

const FIELD = 'customer-data-field';

/** The options of a list that a picture shows. */
const OPEN_OPTIONS = 6;

/** Opens the lists of a picture that differ from those of another form, where they differ first. */
function openChanged(form: HTMLElement | null, others: readonly FormField[]): void {
  for (const element of form?.querySelectorAll<CustomerDataField>(FIELD) ?? []) {
    const other = others.find(({ id }) => id === element.field?.id);
    const lists = other?.inputs.filter(({ subType }) => subType === 'drop') ?? [];
    for (const [at, select] of [...element.querySelectorAll('select')].entries()) {
      const known = lists[at]?.optionsArray.map(({ display }) => display) ?? [];
      const [, ...options] = select.options;
      const isSame = options.map(({ text }) => text).join('\n') === known.join('\n');
      // It stays the same control in another language.
      select.size = isSame ? 0 : Math.min(options.length + 1, OPEN_OPTIONS);
      const changed = options.filter(({ text }) => !known.includes(text));
      for (const option of options) option.className = changed.includes(option) ? 'changed' : '';
      select.scrollTop = (changed[0]?.offsetTop ?? 0) - select.offsetTop;
    }
  }
}

/** Says what an app would send of a field: a line for each instance that is not empty. */
function sentOf(field: FormField, answers: CustomerDataField['answers']): Parts[] {
  return answersToStore(field, answers).map((row) => {
    const texts = row.map((answer) => (answer ? say`${answer}` : ['(empty)']));
    const why = row.includes('')
      ? ['. One input may stay empty, because the field is optional.']
      : [];
    return say`${field.fieldName}: ${joined(texts, ', ')}${why}`;
  });
}

/** The screens of a phone, in a language. */
interface PhoneView {
  readonly screen: Screen;
  /** Empty for that of the fields' own texts. */
  readonly language: string;
}

/** Finds where phones show a difference of two contents, in the fields' own texts if they do. */
export function whereDifferent(
  ...contents: readonly [before: DraftContent, after: DraftContent]
): PhoneView {
  const read = contents.map(({ fields }) => readConfiguration({ fields }));
  const all = ['', ...translatedLanguages(...contents)].flatMap((language) =>
    SCREENS.map((screen) => ({ screen, language })),
  );
  const isDifferent = ({ screen, language }: PhoneView) => {
    const forms = read.map((one) => fieldsFor(translateConfiguration(one, language), screen));
    return JSON.stringify(forms[0]) !== JSON.stringify(forms[1]);
  };
  return all.find(isDifferent) ?? { screen: 'register', language: '' };
}

/** Returns what reads a stored field as an app shows it on each screen, once for each field. */
function formsIn(language: string) {
  return oncePer((stored: StoredMap) => {
    const { fields } = translateConfiguration(readConfiguration({ fields: [stored] }), language);
    const [register, profile] = SCREENS.map((screen) => fieldsFor({ fields }, screen)[0]);
    return { id: fields[0]?.id, register, profile };
  });
}

/** Returns the fields that an app shows on a screen, and why others are missing. */
function onPhone(content: DraftContent, screen: Screen, formsOf: ReturnType<typeof formsIn>) {
  const other = screen === 'register' ? 'profile' : 'register';
  const ids = new Set<string>();
  const shown: FormField[] = [];
  const missing = listOf(content.fields).flatMap((stored) => {
    const { id, fieldName } = asMap(stored);
    const name = String(fieldName || TEXTS.untitled);
    const forms = isMap(stored) ? formsOf(stored) : undefined;
    // The first of two fields with one id is served.
    if (forms?.id === undefined || ids.has(forms.id)) {
      return { why: 'Left out because of errors', name, id };
    }
    ids.add(forms.id);
    const form = forms[screen];
    if (!form) {
      const why = forms[other] ? `Only on the screen ${APP_SCREENS[other]}` : 'On no screen';
      return { why, name, id };
    }
    shown.push(form);
    return [];
  });
  return { shown, missing };
}

import { useState } from 'preact/hooks';
import { isMap, type StoredMap } from '../../../core/configuration/complete-field.ts';
import type { Finding } from '../../../core/finding.ts';
import {
  asMap,
  type Kind,
  optionsFromLines,
  optionsOf,
  withAttribute,
  withKind,
  withSubType,
} from '../draft.ts';
import { TEXTS } from '../texts.ts';
import { TextArea, TextInput } from './basics.tsx';
import { Findings, Labeled } from './labeled.tsx';
import { SCREENS } from './phone.tsx';

type Path = readonly (string | number)[];

interface Props {
  readonly field: unknown;
  /** The published state of the field; undefined if it is new. */
  readonly original: unknown;
  /** The findings of the field. Their paths start at the field. */
  readonly findings: readonly Finding[];
  /** Replaces the field. The step says which edits are undone at once. */
  readonly onChange: (field: unknown, step: string) => void;
}

/** The form of a field. It shows only what applies, and problems where they arise. */
export function FieldForm({ field, original, findings, onChange }: Props) {
  if (!isMap(field)) {
    return (
      <>
        <p>{TEXTS.field.unreadable}</p>
        <pre>{JSON.stringify(field, null, 2)}</pre>
        <Findings findings={findings} />
      </>
    );
  }
  const texts = TEXTS.field;
  const isCombo = field.fieldType === 'combo';
  const change = (path: Path, value: unknown) =>
    onChange(withAttribute(field, path, value), path.join('.'));
  const { text, check, placed, others } = controlsOf(field, findings, change);
  const subFields = isCombo ? (['subFieldA', 'subFieldB'] as const) : (['subFieldA'] as const);
  const appUIs: readonly unknown[] = Array.isArray(field.appUIs) ? field.appUIs : SCREENS;
  const withScreen = (screen: string, isShown: boolean) =>
    SCREENS.filter((one) => (one === screen ? isShown : appUIs.includes(one)));

  return (
    <div class="form">
      {others(...FIELD_ATTRIBUTES, ...subFields)}
      {text('fieldName', texts.caption)}
      <Choice
        label={texts.kind}
        names={texts.kinds}
        value={String(field.fieldType)}
        findings={placed('fieldType')}
        onChange={(kind) => onChange(withKind(field, kind as Kind), '')}
      />
      <fieldset>
        <legend>{texts.screens}</legend>
        {SCREENS.map((screen) => (
          <Check
            key={screen}
            label={TEXTS.editor.screens[screen]}
            value={appUIs.includes(screen)}
            onChange={(isShown) => change(['appUIs'], withScreen(screen, isShown))}
          />
        ))}
        <Findings findings={placed('appUIs')} />
      </fieldset>
      {check('mandatory', texts.mandatory)}
      {check('allowMultiple', texts.allowMultiple)}
      {field.allowMultiple === true && text('addButtonText', texts.addButtonText)}
      {subFields.map((name) => (
        <InputForm
          key={name}
          title={isCombo ? texts.input[name] : undefined}
          input={asMap(field[name])}
          published={new Set(optionsOf(asMap(original)[name]).map(({ value }) => value))}
          hasCopies={field.allowMultiple === true}
          findings={placed(name).map((one) => ({ ...one, path: one.path.slice(1) }))}
          onChange={(path, value) => change([name, ...path], value)}
        />
      ))}
    </div>
  );
}

const FIELD_ATTRIBUTES = 'fieldType fieldName appUIs mandatory allowMultiple addButtonText'.split(
  ' ',
);

/** Makes the controls of the attributes of a map, each with what is wrong with its attribute. */
function controlsOf(
  map: StoredMap,
  findings: readonly Finding[],
  change: (path: Path, value: unknown) => void,
) {
  const placed = (...names: string[]) =>
    findings.filter(({ path }) => names.includes(`${path[0]}`));
  return {
    placed,
    text: (name: string, label: string) => (
      <Labeled label={label} findings={placed(name)}>
        <TextInput value={String(map[name] ?? '')} onInput={(text) => change([name], text)} />
      </Labeled>
    ),
    check: (name: string, label: string) => (
      <Check
        key={name}
        label={label}
        value={map[name] === true}
        findings={placed(name)}
        onChange={(value) => change([name], value)}
      />
    ),
    /** What is wrong with attributes that have no control. */
    others: (...known: string[]) => (
      <Findings
        findings={findings.filter(({ path }) => !known.includes(`${path[0]}`))}
        onRemove={(path) => change(path, undefined)}
      />
    ),
  };
}

interface InputProps {
  /** The name of one of two inputs. */
  readonly title: string | undefined;
  readonly input: StoredMap;
  /** The values of the options that are published. */
  readonly published: ReadonlySet<string>;
  readonly hasCopies: boolean;
  readonly findings: readonly Finding[];
  readonly onChange: (path: Path, value: unknown) => void;
}

const CHARACTERS = ['alpha', 'numbers', 'symbols'] as const;

/** The form of an input of a field: a text box or a dropdown. */
function InputForm({ title, input, published, hasCopies, findings, onChange }: InputProps) {
  const texts = TEXTS.field;
  const { text, check, placed, others } = controlsOf(input, findings, onChange);
  const shown = ['placeHolderText', ...(hasCopies ? ['allowCopies'] : [])];
  const body =
    input.subType === 'drop' ? (
      <>
        {others('optionsArray', ...shown)}
        {text('placeHolderText', texts.placeHolderText)}
        <Options
          input={input}
          published={published}
          findings={placed('optionsArray')}
          onChange={(options, ...path) => onChange(['optionsArray', ...path], options)}
        />
      </>
    ) : (
      <>
        {others('maxChars', ...CHARACTERS, ...shown)}
        {text('placeHolderText', texts.placeHolderText)}
        <Labeled label={texts.maxChars} findings={placed('maxChars')}>
          <input
            type="number"
            min="1"
            step="1"
            value={String(input.maxChars ?? '')}
            onInput={({ currentTarget: { value, valueAsNumber } }) =>
              onChange(['maxChars'], value === '' ? undefined : valueAsNumber)
            }
          />
        </Labeled>
        <fieldset>
          <legend>{texts.characters}</legend>
          {CHARACTERS.map((name) => check(name, texts[name]))}
        </fieldset>
      </>
    );
  const all = (
    <>
      {body}
      {hasCopies && check('allowCopies', texts.allowCopies)}
    </>
  );
  if (title === undefined) return all;
  return (
    <fieldset class="input-form">
      <legend>{title}</legend>
      <Choice
        label={texts.kind}
        names={{ text: texts.kinds.text, drop: texts.kinds.drop }}
        value={String(input.subType)}
        onChange={(kind) => onChange([], withSubType(input, kind as 'text' | 'drop'))}
      />
      {all}
    </fieldset>
  );
}

interface OptionsProps {
  readonly input: StoredMap;
  readonly published: ReadonlySet<string>;
  readonly findings: readonly Finding[];
  /** Sets the options, or what is at a path below them. */
  readonly onChange: (value: unknown, ...path: Path) => void;
}

/** The options of a dropdown: their texts as lines, and their values. */
function Options({ input, published, findings, onChange }: OptionsProps) {
  const options = optionsOf(input);
  const texts = options.map(({ display }) => display);
  const [draft, setDraft] = useState('');
  // The lines as they were typed, with empty ones, as long as they are what is stored.
  const lines = linesOf(draft).join('\n') === texts.join('\n') ? draft : texts.join('\n');
  const onLines = (text: string) => {
    setDraft(text);
    onChange(optionsFromLines(linesOf(text), options, published));
  };
  return (
    <>
      <Labeled label={TEXTS.field.options} findings={findings}>
        <TextArea value={lines} onInput={onLines} />
      </Labeled>
      {options.length > 0 && (
        <details>
          <summary>{TEXTS.field.values}</summary>
          {options.map(({ value, display }, index) => (
            <Labeled key={index} label={display}>
              <TextInput value={value} onInput={(text) => onChange(text, index, 'value')} />
            </Labeled>
          ))}
        </details>
      )}
    </>
  );
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

interface CheckProps {
  readonly label: string;
  readonly value: boolean;
  readonly findings?: readonly Finding[];
  readonly onChange: (value: boolean) => void;
}

function Check({ label, value, findings = [], onChange }: CheckProps) {
  return (
    <div>
      <label>
        <input
          type="checkbox"
          checked={value}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      <Findings findings={findings} />
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  /** The names of the values. */
  readonly names: Readonly<Record<string, string>>;
  readonly value: string;
  readonly findings?: readonly Finding[];
  readonly onChange: (value: string) => void;
}

/** A choice of one of a few values; none is chosen if the value is another one. */
function Choice({ label, names, value, findings = [], onChange }: ChoiceProps) {
  const known = Object.keys(names).includes(value);
  return (
    <Labeled label={label} findings={findings}>
      <select
        value={known ? value : ''}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {!known && <option value="" />}
        {Object.entries(names).map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </Labeled>
  );
}

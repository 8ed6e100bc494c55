import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isMap, type StoredMap } from '../../../core/configuration/complete-field.ts';
import type { Finding } from '../../../core/finding.ts';
import { asMap, optionsFromLines, optionsOf, withAttribute, withSubType } from '../draft.ts';
import { TEXTS } from '../texts.ts';
import { TextArea, TextInput } from './basics.tsx';
import { Findings, Labeled } from './labeled.tsx';
import { SCREENS } from './phone.tsx';

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
  const isCombo = field.fieldType === 'combo';
  const isMultiple = field.allowMultiple === true;
  const inputs = isCombo ? (['subFieldA', 'subFieldB'] as const) : (['subFieldA'] as const);
  const names = ['fieldName', 'appUIs', 'mandatory', 'allowMultiple'] as const;
  const part: Part = {
    ...{ map: field, findings },
    change: (path, value) => onChange(withAttribute(field, path, value), path.join('.')),
  };
  return (
    <div class="form" ref={focusFirstInput}>
      <Controls
        part={part}
        names={isMultiple ? [...names, 'addButtonText'] : names}
        also={inputs}
      />
      {inputs.map((name) => {
        const { subType } = asMap(field[name]);
        const own = subType === 'drop' ? (['optionsArray'] as const) : TEXT_ATTRIBUTES;
        const published = new Set(optionsOf(asMap(original)[name]).map(({ value }) => value));
        return (
          <fieldset key={name} class={isCombo ? 'box' : ''}>
            {isCombo && <legend>{TEXTS.field.input[name]}</legend>}
            <Controls
              part={{ ...partAt(part, name), published }}
              names={[
                ...(isCombo ? (['subType'] as const) : []),
                ...(['placeHolderText', ...own] as const),
                ...(isMultiple ? (['allowCopies'] as const) : []),
              ]}
            />
            {subType !== 'drop' && <p class="quiet">{TEXTS.field.spaces}</p>}
            {subType === 'drop' && <OptionValues part={partAt(part, name)} />}
          </fieldset>
        );
      })}
    </div>
  );
}

const TEXT_ATTRIBUTES = ['maxChars', 'alpha', 'numbers', 'symbols'] as const;

function focusFirstInput(form: HTMLElement | null): void {
  form?.querySelector('input')?.focus();
}

/** What a form edits: a field, or an input of one. */
interface Part {
  readonly map: StoredMap;
  /** With paths that start at the map. */
  readonly findings: readonly Finding[];
  readonly change: (path: readonly (string | number)[], value: unknown) => void;
  /** The values of the options that are published. */
  readonly published?: ReadonlySet<string>;
}

function partAt({ map, findings, change }: Part, name: string): Part {
  return {
    map: asMap(map[name]),
    findings: placed(findings, name).map((one) => ({ ...one, path: one.path.slice(1) })),
    change: (path, value) => change([name, ...path], value),
  };
}

function placed(findings: readonly Finding[], name: string): readonly Finding[] {
  return findings.filter(({ path }) => path[0] === name);
}

type Name = keyof typeof TEXTS.field.attributes;

interface ControlsProps {
  readonly part: Part;
  readonly names: readonly Name[];
  /** Attributes whose findings are shown elsewhere. */
  readonly also?: readonly string[];
}

/** The controls of attributes, each with what is wrong with it, below what is wrong with others. */
function Controls({ part, names, also = [] }: ControlsProps) {
  const known: readonly string[] = [...names, ...also];
  const others = part.findings.filter(({ path }) => !known.includes(`${path[0]}`));
  return (
    <>
      <Findings findings={others} onRemove={(path) => part.change(path, undefined)} />
      {names.map((name) => {
        const Control = CONTROLS[name];
        const findings = placed(part.findings, name);
        return (
          <Labeled key={name} label={TEXTS.field.attributes[name]} findings={findings}>
            <Control part={part} name={name} />
          </Labeled>
        );
      })}
    </>
  );
}

interface ControlProps {
  readonly part: Part;
  readonly name: Name;
}

function Text({ part: { map, change }, name }: ControlProps) {
  return <TextInput value={String(map[name] ?? '')} onInput={(text) => change([name], text)} />;
}

function Check({ part: { map, change }, name }: ControlProps) {
  return (
    <input
      type="checkbox"
      checked={map[name] === true}
      onChange={({ currentTarget }) => change([name], currentTarget.checked)}
    />
  );
}

function MaxChars({ part: { map, change } }: ControlProps) {
  return (
    <TextInput
      type="number"
      value={String(map.maxChars ?? '')}
      onInput={(digits) => change(['maxChars'], digits === '' ? undefined : Number(digits))}
    />
  );
}

interface ChoiceProps<T extends string> {
  readonly names: Readonly<Record<T, string>>;
  readonly value: unknown;
  readonly onChange: (value: T) => void;
}

/** The choice of a value; none is chosen if the value is another one. */
function Choice<T extends string>({ names, value, onChange }: ChoiceProps<T>) {
  const values = Object.keys(names) as T[];
  const known = values.find((one) => one === value);
  return (
    <select
      value={known ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value as T)}
    >
      {known === undefined && <option value="" />}
      {values.map((one) => (
        <option key={one} value={one}>
          {names[one]}
        </option>
      ))}
    </select>
  );
}

/** The options of a dropdown: their texts as lines, and their values. */
function Options({ part: { map, change, published = new Set() } }: ControlProps) {
  const options = optionsOf(map);
  const texts = options.map(({ display }) => display).join('\n');
  const [draft, setDraft] = useState('');
  const onLines = (text: string) => {
    setDraft(text);
    change(['optionsArray'], optionsFromLines(linesOf(text), options, published));
  };
  // The lines as they were typed, with empty ones, as long as they are what is stored.
  return <TextArea value={linesOf(draft).join('\n') === texts ? draft : texts} onInput={onLines} />;
}

function OptionValues({ part: { map, change } }: { readonly part: Part }) {
  const options = optionsOf(map);
  if (options.length === 0) return null;
  return (
    <details>
      <summary>{TEXTS.field.values}</summary>
      {options.map(({ value, display }, index) => (
        <Labeled key={index} label={display}>
          <TextInput
            value={value}
            onInput={(text) => change(['optionsArray', index, 'value'], text)}
          />
        </Labeled>
      ))}
    </details>
  );
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const CONTROLS: Readonly<Record<Name, (props: ControlProps) => JSX.Element>> = {
  fieldName: Text,
  appUIs: ({ part: { map, change } }) => {
    const appUIs: readonly unknown[] = Array.isArray(map.appUIs) ? map.appUIs : SCREENS;
    return (
      <Choice
        names={TEXTS.field.screens}
        value={SCREENS.filter((screen) => appUIs.includes(screen)).join(' ')}
        onChange={(screens) => change(['appUIs'], screens.split(' ').filter(Boolean))}
      />
    );
  },
  mandatory: Check,
  allowMultiple: Check,
  addButtonText: Text,
  subType: ({ part: { map, change } }) => (
    <Choice
      names={{ text: TEXTS.field.kinds.text, drop: TEXTS.field.kinds.drop }}
      value={map.subType}
      onChange={(subType) => change([], withSubType(map, subType))}
    />
  ),
  placeHolderText: Text,
  maxChars: MaxChars,
  alpha: Check,
  numbers: Check,
  symbols: Check,
  optionsArray: Options,
  allowCopies: Check,
};

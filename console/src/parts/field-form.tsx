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
import { TextArea } from './basics.tsx';
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
  const { kinds, input: inputs } = TEXTS.field;
  const isCombo = field.fieldType === 'combo';
  const change = (path: Path, value: unknown) =>
    onChange(withAttribute(field, path, value), path.join('.'));
  const subFields = isCombo ? (['subFieldA', 'subFieldB'] as const) : (['subFieldA'] as const);
  const own = ['fieldType', 'fieldName', 'appUIs', 'mandatory', 'allowMultiple', 'addButtonText'];
  const placed = (name: string) => findings.filter(({ path }) => path[0] === name);
  const others = findings.filter(
    ({ path }) => ![...own, ...subFields].some((name) => name === path[0]),
  );
  const appUIs: readonly unknown[] = Array.isArray(field.appUIs) ? field.appUIs : SCREENS;

  return (
    <div class="form">
      <Findings findings={others} onRemove={(path) => change(path, undefined)} />
      <Labeled label={TEXTS.field.caption} findings={placed('fieldName')}>
        <input
          type="text"
          value={String(field.fieldName ?? '')}
          onInput={({ currentTarget }) => change(['fieldName'], currentTarget.value)}
        />
      </Labeled>
      <Choice
        label={TEXTS.field.kind}
        names={kinds}
        value={String(field.fieldType)}
        findings={placed('fieldType')}
        onChange={(kind) => onChange(withKind(field, kind as Kind), '')}
      />
      <fieldset>
        <legend>{TEXTS.field.screens}</legend>
        {SCREENS.map((screen) => (
          <Check
            key={screen}
            label={TEXTS.editor.screens[screen]}
            value={appUIs.includes(screen)}
            onChange={(isShown) =>
              change(
                ['appUIs'],
                SCREENS.filter((one) => (one === screen ? isShown : appUIs.includes(one))),
              )
            }
          />
        ))}
        <Findings findings={placed('appUIs')} />
      </fieldset>
      <Check
        label={TEXTS.field.mandatory}
        value={field.mandatory === true}
        findings={placed('mandatory')}
        onChange={(value) => change(['mandatory'], value)}
      />
      <Check
        label={TEXTS.field.allowMultiple}
        value={field.allowMultiple === true}
        findings={placed('allowMultiple')}
        onChange={(value) => change(['allowMultiple'], value)}
      />
      {field.allowMultiple === true && (
        <Labeled label={TEXTS.field.addButtonText} findings={placed('addButtonText')}>
          <input
            type="text"
            value={String(field.addButtonText ?? '')}
            onInput={({ currentTarget }) => change(['addButtonText'], currentTarget.value)}
          />
        </Labeled>
      )}
      {subFields.map((name) => (
        <InputForm
          key={name}
          title={isCombo ? inputs[name] : undefined}
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

/** The form of an input of a field: a text box or a dropdown. */
function InputForm({ title, input, published, hasCopies, findings, onChange }: InputProps) {
  const isDrop = input.subType === 'drop';
  const characters = ['alpha', 'numbers', 'symbols'] as const;
  const shown = isDrop
    ? ['placeHolderText', 'optionsArray']
    : ['placeHolderText', 'maxChars', ...characters];
  const placed = (...names: string[]) =>
    findings.filter(({ path }) => names.includes(`${path[0]}`));
  const others = findings.filter(({ path }) => !shown.includes(`${path[0]}`));
  const body = (
    <>
      {title !== undefined && (
        <Choice
          label={TEXTS.field.kind}
          names={{ text: TEXTS.field.kinds.text, drop: TEXTS.field.kinds.drop }}
          value={String(input.subType)}
          onChange={(kind) => onChange([], withSubType(input, kind as 'text' | 'drop'))}
        />
      )}
      <Findings findings={others} onRemove={(path) => onChange(path, undefined)} />
      <Labeled label={TEXTS.field.placeHolderText} findings={placed('placeHolderText')}>
        <input
          type="text"
          value={String(input.placeHolderText ?? '')}
          onInput={({ currentTarget }) => onChange(['placeHolderText'], currentTarget.value)}
        />
      </Labeled>
      {isDrop ? (
        <Options
          input={input}
          published={published}
          findings={placed('optionsArray')}
          onChange={(options, ...path) => onChange(['optionsArray', ...path], options)}
        />
      ) : (
        <>
          <Labeled label={TEXTS.field.maxChars} findings={placed('maxChars')}>
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
            <legend>{TEXTS.field.characters}</legend>
            {characters.map((name) => (
              <Check
                key={name}
                label={TEXTS.field[name]}
                value={input[name] === true}
                onChange={(value) => onChange([name], value)}
              />
            ))}
            <Findings findings={placed(...characters)} />
          </fieldset>
        </>
      )}
      {hasCopies && (
        <Check
          label={TEXTS.field.allowCopies}
          value={input.allowCopies === true}
          onChange={(value) => onChange(['allowCopies'], value)}
        />
      )}
    </>
  );
  if (title === undefined) return body;
  return (
    <fieldset class="input-form">
      <legend>{title}</legend>
      {body}
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
            <label key={index} class="value">
              <span>{display}</span>
              <input
                type="text"
                value={value}
                onInput={({ currentTarget }) => onChange(currentTarget.value, index, 'value')}
              />
            </label>
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
      <label class="check">
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

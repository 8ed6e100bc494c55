import {
  entryOf,
  FIELD_KINDS,
  type FieldKind,
  type Finding,
  hasOptions,
  type InputKind,
  inputsOf,
  isMap,
  languageTag,
  type StoredMap,
  translationKey,
} from 'customer-data-api/configuration';
import type { JSX } from 'preact';
import { asMap, type DraftFinding, withAttribute, withKind, withSubType } from '../draft/draft.ts';
import { Findings } from '../findings/findings.tsx';
import { Labeled } from '../parts/labeled.tsx';
import { SCREENS } from '../parts/phone.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { APP_SCREENS, ATTRIBUTES, INPUT_NAMES, KIND_NAMES } from '../texts.ts';
import { type Part, partAt, placed } from './field-part.ts';
import { OptionEditor } from './option-editor.tsx';
import { optionsOf } from './option-lines.ts';
import { Translated } from './translations.tsx';

interface Props {
  readonly field: unknown;
  /** The published state of the field; undefined if it is new. */
  readonly original: unknown;
  /** The path of the options that it had. */
  readonly history: string;
  /** The findings of the field. Their paths start at the field. */
  readonly findings: readonly DraftFinding[];
  /** The language whose texts are shown beside the fields' own; empty for none. */
  readonly language: string;
  /** All languages of the translations. What is wrong in another one is shown with its texts. */
  readonly languages: readonly string[];
  /** Replaces the field. The step says which edits are undone at once. */
  readonly onChange: (field: unknown, step: string) => void;
}

/** The form of a field. It shows only what applies, and problems where they arise. */
export function FieldForm(props: Props) {
  const { field, original, history, language, languages, onChange } = props;
  const isElsewhere = ({ path: [name, key] }: Finding) => {
    const tag = name === 'translations' ? (languageTag(key) ?? '') : language;
    return tag !== language && languages.includes(tag);
  };
  const findings = props.findings.filter((one) => !isElsewhere(one));
  const map = asMap(field);
  const whole: Part = {
    map,
    findings,
    edit: (path, value, isOwnStep = false) =>
      onChange(withAttribute(map, path, value), isOwnStep ? '' : path.join('.')),
  };
  if (!isMap(field)) {
    return (
      <div class="form">
        <p>This was edited manually, and is no field. Choose its kind, or remove it:</p>
        <pre>{JSON.stringify(field, null, 2)}</pre>
        <Controls part={whole} names={['fieldType']} />
      </div>
    );
  }
  const isMultiple = field.allowMultiple === true;
  const inputs = inputsOf(field);
  const isCombo = inputs.length > 1;
  const shown = applying(whole, FIELD_NAMES, {
    fieldType: !FIELD_KINDS.some((kind) => kind === field.fieldType),
    addButtonText: isMultiple || Boolean(field.addButtonText),
  });
  const key = language && translationKey(field, language);
  const part: Part = {
    ...whole,
    ...(key && {
      translation: { language, part: partAt(partAt(whole, 'translations'), key) },
    }),
  };
  const controls: readonly string[] = [...shown, ...inputs];
  const isPlaced = ([name, tag, ...path]: Finding['path']) =>
    name === 'translations'
      ? tag === key && controls.includes(`${path[0]}`) && isText(field, path)
      : controls.includes(`${name}`);
  return (
    <div class="form" ref={focusFirstInput}>
      <Controls part={part} names={shown} isPlaced={isPlaced} />
      {inputs.map((name) => {
        const { subType } = asMap(field[name]);
        const own = entryOf(OWN_ATTRIBUTES, isCombo ? subType : field.fieldType);
        const input = partAt(part, name);
        const all: readonly Name[] = [
          'subType',
          'placeHolderText',
          ...(own ?? OWN_ATTRIBUTES.text),
          'allowCopies',
        ];
        return (
          <fieldset key={name} class={isCombo ? 'input' : ''}>
            {isCombo && <legend>{name === 'subFieldA' ? 'First input' : 'Second input'}</legend>}
            <Controls
              part={{
                ...input,
                kind: field.fieldType,
                published: optionsOf(asMap(original)[name]),
                history: original === undefined ? undefined : { path: history, input: name },
              }}
              names={applying(input, all, { subType: isCombo, allowCopies: isMultiple })}
            />
          </fieldset>
        );
      })}
    </div>
  );
}

/** The attributes of a field that have a control. */
const FIELD_NAMES: readonly Name[] = [
  'fieldType',
  'fieldName',
  'appUIs',
  'mandatory',
  'allowMultiple',
  'addButtonText',
];

/** Leaves out the names that do not apply, but for those with which something is wrong. */
function applying(
  { findings }: Part,
  names: readonly Name[],
  applies: Readonly<Partial<Record<Name, boolean>>>,
): readonly Name[] {
  return names.filter((name) => (applies[name] ?? true) || placed(findings, name).length > 0);
}

/** The attributes of each kind of input that have a control. */
const OWN_ATTRIBUTES: Readonly<Record<InputKind, readonly Name[]>> = {
  text: ['maxChars', 'alpha', 'numbers', 'symbols'],
  drop: ['optionsArray'],
};

function focusFirstInput(form: HTMLElement | null): void {
  form?.querySelector('input')?.focus();
}

type Name = keyof typeof ATTRIBUTES;

/** The parts that the labels do not name. */
const HELP: Readonly<Partial<Record<Name, string>>> = {
  fieldName: 'What customers read above the field.',
  appUIs: 'The screens of the app that ask for it.',
  mandatory: 'Customers cannot continue without an answer.',
  allowMultiple: 'Customers may give more than one answer.',
  addButtonText: 'What the button says that adds an answer.',
  placeHolderText: 'What the input shows while it is empty.',
  maxChars: 'The most characters of an answer.',
  symbols: 'All that are neither letters nor digits, such as - & #. Spaces are always allowed.',
  allowCopies: 'Customers may enter the same text, or choose the same option, in two answers.',
};

interface ControlsProps {
  readonly part: Part;
  readonly names: readonly Name[];
  /** True for findings that a control shows, here or in an input. */
  readonly isPlaced?: (path: Finding['path']) => boolean;
}

/** The controls of attributes, each with what is wrong with it, below what is wrong with others. */
function Controls({ part, names, isPlaced }: ControlsProps) {
  const isNamed = ([name]: Finding['path']) => names.some((one) => one === name);
  const others = part.findings.filter(({ path }) => !(isPlaced ?? isNamed)(path));
  // What has no control is nothing that apps need.
  const remover = ({ path }: Finding) =>
    path.length > 0 ? () => part.edit(path, undefined, true) : undefined;
  return (
    <>
      <Findings {...{ findings: others, remover }} />
      {rowsOf(names).map((row) => {
        const controls = row.map((name) => <Attribute key={name} {...{ part, name }} />);
        return isCheck(row[0]) ? <div class="checks">{controls}</div> : controls;
      })}
    </>
  );
}

/** Returns the names in their order, with boxes that follow each other in one row. */
function rowsOf(names: readonly Name[]): readonly (readonly Name[])[] {
  const rows: Name[][] = [];
  for (const name of names) {
    const last = rows.at(-1);
    if (last && isCheck(name) && isCheck(last[0])) last.push(name);
    else rows.push([name]);
  }
  return rows;
}

function isCheck(name: Name | undefined): boolean {
  return name !== undefined && CONTROLS[name] === Check;
}

/** The control of an attribute, with what is wrong with it. */
function Attribute({ part, name }: ControlProps) {
  const Control = CONTROLS[name];
  const control = Control ? (
    <Labeled
      label={ATTRIBUTES[name]}
      help={HELP[name]}
      findings={<Findings findings={placed(part.findings, name)} />}
    >
      <Control part={part} name={name} />
    </Labeled>
  ) : (
    <OptionEditor part={part} />
  );
  return Control && Control !== Text ? (
    control
  ) : (
    <Translated {...{ part, name }}>{control}</Translated>
  );
}

/** True for the path of a text in a translation. */
function isText(field: StoredMap, [name, attribute, value]: Finding['path']): boolean {
  if (attribute === undefined) return CONTROLS[name as 'fieldName'] === Text;
  const input = asMap(field[`${name}`]);
  if (attribute !== 'options') return attribute === 'placeHolderText';
  return hasOptions(input) === true && optionsOf(input).some((option) => option.value === value);
}

interface ControlProps {
  readonly part: Part;
  readonly name: Name;
}

function Text({ part: { map, edit }, name }: ControlProps) {
  return <TextInput value={String(map[name] ?? '')} onInput={(text) => edit([name], text)} />;
}

function Check({ part: { map, edit }, name }: ControlProps) {
  return (
    <input
      type="checkbox"
      checked={map[name] === true}
      indeterminate={map[name] !== undefined && typeof map[name] !== 'boolean'}
      onChange={({ currentTarget }) => edit([name], currentTarget.checked)}
    />
  );
}

function MaxChars({ part: { map, edit } }: ControlProps) {
  return (
    <TextInput
      type="number"
      value={String(map.maxChars ?? '')}
      onInput={(digits) => edit(['maxChars'], digits === '' ? undefined : Number(digits))}
    />
  );
}

interface ChoiceProps {
  readonly names: Readonly<Record<string, string>>;
  readonly value: unknown;
  readonly onChange: (value: string) => void;
}

/** The choice of a value; none is chosen if the value is another one. */
function Choice({ names, value, onChange }: ChoiceProps) {
  const values = Object.keys(names);
  const known = values.find((one) => one === value);
  return (
    <select value={known ?? ''} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {known === undefined && <option value="" />}
      {values.map((one) => (
        <option key={one} value={one}>
          {names[one]}
        </option>
      ))}
    </select>
  );
}

/** Options have labels of their own. */
const CONTROLS: Readonly<
  Record<Exclude<Name, 'optionsArray'>, (props: ControlProps) => JSX.Element>
> & { readonly optionsArray?: never } = {
  fieldName: Text,
  fieldType: ({ part: { map, edit } }) => (
    <Choice
      names={KIND_NAMES}
      value={map.fieldType}
      onChange={(kind) => edit([], withKind(map, kind as FieldKind), true)}
    />
  ),
  appUIs: ({ part: { map, edit } }) => {
    const appUIs = map.appUIs ?? (inputsOf(map).length > 1 ? SCREENS : undefined);
    return (
      <Choice
        names={APP_SCREENS}
        value={Array.isArray(appUIs) && SCREENS.filter((one) => appUIs.includes(one)).join(' ')}
        onChange={(screens) => edit(['appUIs'], screens.split(' ').filter(Boolean))}
      />
    );
  },
  mandatory: Check,
  allowMultiple: Check,
  addButtonText: Text,
  subType: ({ part: { map, kind, edit } }) => {
    const name = entryOf(INPUT_NAMES, kind);
    return (
      <Choice
        names={name === undefined ? INPUT_NAMES : { [`${kind}`]: name }}
        value={map.subType}
        onChange={(subType) => edit([], withSubType(map, subType as InputKind))}
      />
    );
  },
  placeHolderText: Text,
  maxChars: MaxChars,
  alpha: Check,
  numbers: Check,
  symbols: Check,
  allowCopies: Check,
};

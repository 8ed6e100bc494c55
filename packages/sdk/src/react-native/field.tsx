import {
  type ReactElement,
  type Ref,
  type RefObject,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Platform, StyleSheet, Text, useColorScheme, View } from 'react-native';
import { emptyAnswers, type FormField, type Instance, withInputs } from '../fields.ts';
import {
  areEqualAnswers,
  canShareInputs,
  type FormState,
  NO_FORM,
  reset,
  type ShownInput,
  shownForm,
  withAnswers,
  withEntered,
  withField,
} from '../form-state.ts';
import { Button } from './button.tsx';
import { announce, focusOn, type Host, labelsOf, type Scroller } from './control.ts';
import { Dropdown } from './dropdown.tsx';
import { TextControl } from './text-control.tsx';
import { type NativeFormTexts, TEXTS } from './texts.ts';
import { lookOf, type Theme } from './theme.ts';

export interface CustomerDataFieldProps {
  /** The field. The same one, such as in another language, keeps what the customer has entered. */
  readonly field: FormField;
  /**
   * The answers that the form begins with. Others replace what was entered; a new array with the
   * same answers does not.
   */
  readonly answers?: readonly Instance[] | undefined;
  /** Called when the customer or a reset has changed the answers. */
  readonly onAnswers?: ((answers: readonly Instance[]) => void) | undefined;
  readonly disabled?: boolean | undefined;
  readonly texts?: Readonly<NativeFormTexts> | undefined;
  readonly theme?: Theme | undefined;
  /** The `ScrollView` around the form, which `check` scrolls to the first problem. */
  readonly scrollView?: RefObject<Scroller | null> | undefined;
  readonly ref?: Ref<CustomerDataForm> | undefined;
}

/** The form of a field: what the `ref` of a `CustomerDataField` gets. */
export interface CustomerDataForm {
  /** The answers, a row for each instance, a string for each input. */
  readonly answers: readonly Instance[];
  /** Shows all problems, and moves the focus to the first. Returns true if there is none. */
  check(): boolean;
  /** Returns to the answers that the app set last, and hides problems of empty inputs. */
  reset(): void;
}

type Given = Pick<CustomerDataFieldProps, 'field' | 'answers'>;

/** A field of the configuration as a form that React Native draws. */
export function CustomerDataField({
  field,
  answers,
  onAnswers,
  disabled = false,
  texts = TEXTS,
  theme = {},
  scrollView,
  ref,
}: CustomerDataFieldProps): ReactElement {
  const [form, setForm] = useState(() => begin({ field, answers }));
  const [given, setGiven] = useState<Given>({ field, answers });
  if (given.field !== field || given.answers !== answers) {
    setGiven({ field, answers });
    setForm(refresh(form, given, { field, answers }));
  }
  // With what the customer has entered since the last render.
  const latest = useRef(form);
  useLayoutEffect(() => {
    latest.current = form;
  }, [form]);
  const hosts = useRef(new Map<string, Host>());
  const added = useRef<number | undefined>(undefined);
  const id = useId();
  const look = lookOf(theme, useColorScheme() === 'dark');
  const shown = shownForm(form, field, texts, disabled);

  const change = (next: FormState) => {
    const before = latest.current;
    latest.current = next;
    setForm(next);
    if (next.answers !== before.answers) onAnswers?.(next.answers);
  };
  const focus = (instance: number, input = 0) => {
    const host = hosts.current.get(`${instance} ${input}`);
    if (host) focusOn(host, scrollView?.current);
  };
  const enter = (instance: number, input: number, answer: string) => {
    const rows = latest.current.answers.map((row, at) =>
      at === instance
        ? withInputs(
            row,
            field.inputs.map((_, i) => (i === input ? answer : (row[i] ?? ''))),
          )
        : row,
    );
    const next = withEntered(latest.current, rows);
    change(next);
    const [before, after] = [shown, shownForm(next, field, texts, disabled)].map(
      ({ instances }) => instances[instance]?.inputs[input]?.problem,
    );
    if (after && after !== before) announce(after);
  };
  const add = () => {
    added.current = latest.current.answers.length;
    change({ ...latest.current, answers: [...latest.current.answers, ...emptyAnswers(field)] });
  };
  const remove = (instance: number) => {
    const rest = latest.current.answers.filter((_, at) => at !== instance);
    added.current = Math.min(instance, rest.length - 1);
    change({ ...latest.current, answers: rest });
  };

  useImperativeHandle(ref, () => ({
    get answers() {
      return latest.current.answers;
    },
    check: () => {
      const next = { ...latest.current, isChecked: true };
      change(next);
      const [first] = shownForm(next, field, texts, disabled).problems;
      if (first) focus(first.instance, first.input);
      return !first;
    },
    reset: () => change(reset(latest.current)),
  }));

  // The inputs of an instance that was added exist now.
  useEffect(() => {
    if (added.current !== undefined) focus(added.current);
    added.current = undefined;
  });

  const control = (one: ShownInput, instance: number, input: number) => {
    const key = `${instance} ${input}`;
    const problemId = `${id}-${instance}-${input}`;
    const isRequired = field.mandatory && instance === 0;
    const Control = CONTROLS[one.input.subType];
    return (
      <View key={key}>
        <Control
          shown={one}
          look={look}
          texts={texts}
          isDisabled={disabled}
          labels={labelsOf(one, isRequired, texts, problemId)}
          hold={(host) => {
            if (host) hosts.current.set(key, host);
            else hosts.current.delete(key);
          }}
          enter={(answer) => enter(instance, input, answer)}
        />
        <View id={problemId} role="alert" aria-live="polite">
          {one.problem !== '' && <Text style={look.styles.problem}>{one.problem}</Text>}
        </View>
      </View>
    );
  };

  return (
    <View style={look.styles.field} {...groupOf(field)}>
      <Text style={look.styles.caption}>
        {field.fieldName}
        {field.mandatory && (
          <Text
            style={[LAYOUT.mandatory, { color: look.colors.muted }]}
          >{` ${texts.mandatory}`}</Text>
        )}
      </Text>
      {shown.instances.map(({ inputs, name }, instance) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: answers have no other identity.
        <View key={instance} style={LAYOUT.instance}>
          {inputs.map((one, input) => control(one, instance, input))}
          {shown.instances.length > 1 && (
            <Button
              look={look}
              text={texts.remove}
              name={name}
              isDisabled={disabled}
              press={() => remove(instance)}
            />
          )}
        </View>
      ))}
      {field.allowMultiple && (
        <Button
          look={look}
          text={shown.addButton[0]}
          name={shown.addButton[1]}
          isDisabled={disabled}
          press={add}
        />
      )}
    </View>
  );
}

/** Names the group of inputs. On Android, a name would make it one element for TalkBack. */
const groupOf = ({ fieldName }: FormField) =>
  Platform.OS === 'web' ? ({ role: 'group', 'aria-label': fieldName } as const) : {};

/** The control of each kind of input: with another kind, this does not compile. */
const CONTROLS = { text: TextControl, drop: Dropdown };

const begin = ({ field, answers }: Given) => withField(withAnswers(NO_FORM, answers), field, true);

/** Sets what the app has given, if that is something else than before. */
function refresh(form: FormState, before: Given, now: Given): FormState {
  if (!canShareInputs(before.field, now.field)) return begin(now);
  const same = withField(form, now.field, true);
  return areEqualAnswers(before.answers, now.answers) ? same : withAnswers(same, now.answers);
}

const LAYOUT = StyleSheet.create({
  instance: { gap: 8 },
  mandatory: { fontSize: 14, fontWeight: '400' },
});

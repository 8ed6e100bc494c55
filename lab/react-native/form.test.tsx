import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { act, render, screen, userEvent } from '@testing-library/react-native';
import { createRef } from 'react';
import { AccessibilityInfo, I18nManager, Platform, StyleSheet } from 'react-native';
import {
  type AppUi,
  type Configuration,
  type FormField,
  fieldsFor,
  PROBLEM_TEXTS,
} from '../../packages/sdk/src/index.ts';
import {
  CustomerDataField,
  type CustomerDataForm,
} from '../../packages/sdk/src/react-native/index.ts';
import vectors from '../../packages/sdk/test-vectors/fields.json';

/* The form on iOS and on Android, with React Native's own mocks of what is native. */

const configuration = vectors.configuration as unknown as Configuration;
const fields = new Map(
  (['register', 'profile'] satisfies AppUi[]).flatMap((ui) =>
    fieldsFor(configuration, ui).map((field) => [field.id, field] as const),
  ),
);
const fieldOf = (id: string) => fields.get(id) as FormField;
const user = userEvent.setup();

afterEach(() => {
  jest.restoreAllMocks();
  jest.clearAllMocks();
});

type Props = Omit<Parameters<typeof CustomerDataField>[0], 'field' | 'ref'>;

/** Shows a field. */
async function show(id: string, props: Props = {}) {
  const ref = createRef<CustomerDataForm>();
  const told: unknown[] = [];
  const draw = (field: FormField, more: Props) => (
    <CustomerDataField
      field={field}
      ref={ref}
      onAnswers={(answers) => told.push(answers)}
      {...props}
      {...more}
    />
  );
  const { rerender } = await render(draw(fieldOf(id), {}));
  return {
    told,
    get answers() {
      return ref.current?.answers;
    },
    check: () => act(() => ref.current?.check()),
    reset: () => act(() => ref.current?.reset()),
    set: (field: FormField, more: Props = {}) => rerender(draw(field, more)),
  };
}

/** The texts of the problems that are shown, `''` for an input without one. */
const problems = () => withRole('alert').map(textOf);

type Node = (typeof screen)['root'];
const withRole = (role: string) => screen.container.queryAll(({ props }) => props.role === role);
function textOf(node: Node | string): string {
  if (typeof node === 'string') return node;
  return node?.children.map(textOf).join('') ?? '';
}

const isIos = Platform.OS === 'ios';
const dropdown = (name: string | RegExp) =>
  screen.getByRole(isIos ? 'button' : 'combobox', { name });
const option = (name: string) => screen.getByRole(isIos ? 'button' : 'radio', { name });

test.each(vectors.answers)('$field: $why: $instances', async ({ field, ...vector }) => {
  const form = await show(field, { answers: vector.instances });
  expect(await form.check()).toBe(vector.problems.length === 0);
  const { inputs } = fieldOf(field);
  const rows = Math.max(1, vector.instances.length);
  const wanted = Array.from({ length: rows * inputs.length }, (_, at) => {
    const [instance, input] = [Math.floor(at / inputs.length), at % inputs.length];
    return vector.problems
      .filter((one) => one.instance === instance && one.input === input)
      .map(({ code }) => {
        const answer = vector.instances[instance]?.[input] ?? '';
        const subField = inputs[input] as FormField['inputs'][number];
        return PROBLEM_TEXTS[code as keyof typeof PROBLEM_TEXTS](subField, answer);
      })
      .join(' ');
  });
  expect(problems()).toEqual(wanted);
});

test('what the customer types is told once, and stays when the app renders the field again', async () => {
  const form = await show('letters');
  const input = screen.getByLabelText('letters');
  await user.type(input, 'Jö1');
  expect(form.told).toEqual([[['J']], [['Jö']], [['Jö1']]]);
  expect(problems()).toEqual(['Please use letters and spaces only.']);
  await form.set({ ...fieldOf('letters'), fieldName: 'Buchstaben' }, { answers: undefined });
  expect(screen.getByLabelText('Buchstaben')).toHaveDisplayValue('Jö1');
  // An emoji is one character of the ten, and two units of UTF-16.
  await form.set(fieldOf('symbols'));
  await user.type(screen.getByLabelText('symbols'), '🎂🎂🎂🎂🎂🎂🎂🎂🎂🎂');
  expect(problems()).toEqual(['']);
  await user.type(screen.getByLabelText('symbols'), '-');
  expect(problems()).toEqual(['Please enter at most 10 characters, not 11.']);
});

test('answers of the app replace what was entered, and a reset returns to them', async () => {
  const form = await show('name', { answers: [['Ann']] });
  const input = () => screen.getByLabelText('name, mandatory');
  await user.clear(input());
  await form.check();
  expect(problems()).toEqual(['Please fill this in.']);
  // A new array with the same answers is no change.
  await form.set(fieldOf('name'), { answers: [['Ann']] });
  expect(input()).toHaveDisplayValue('');
  await form.reset();
  expect([problems(), form.answers]).toEqual([[''], [['Ann']]]);
  // The second input of a combination that has become one text keeps its answer.
  await form.set(fieldOf('name'), { answers: [['Bob', 'M 1']] });
  expect(input()).toHaveDisplayValue('Bob');
  await user.type(input(), 'by');
  await form.reset();
  expect(form.told.slice(-2)).toEqual([[['Bobby', 'M 1']], [['Bob', 'M 1']]]);
  // Another field begins anew, with the answers that the app has for it.
  await form.set(fieldOf('letters'), { answers: [['Bob']] });
  expect(screen.getByLabelText('letters')).toHaveDisplayValue('Bob');
  await form.set(fieldOf('digits'), { answers: undefined });
  expect(screen.getByLabelText('digits')).toHaveDisplayValue('');
});

test('a dropdown is a list over the screen, which the customer can leave without an answer', async () => {
  const form = await show('shop');
  const value = () => dropdown('shop, mandatory').props.accessibilityValue;
  expect(value()).toEqual({ text: 'Please choose' });
  await user.press(dropdown('shop, mandatory'));
  expect(option('Please choose')).toBeOnTheScreen();
  // The button of Android, or a gesture.
  const [list] = screen.container.queryAll(({ type }) => type === 'Modal');
  await act(() => list?.props.onRequestClose());
  expect(form.told).toEqual([]);
  await user.press(dropdown('shop, mandatory'));
  await user.press(option('NORTH'));
  expect([form.answers, value()]).toEqual([[['north']], { text: 'NORTH' }]);
  await user.press(dropdown('shop, mandatory'));
  if (isIos) expect(option('NORTH')).toBeSelected();
  else expect(option('NORTH')).toBeChecked();
  await user.press(option('Please choose'));
  expect(form.answers).toEqual([['']]);
});

describe('a dropdown', () => {
  const cities = ['Århus', 'Kraków', 'São Paulo', 'القاهرة'];
  const many = (length: number): FormField => ({
    ...fieldOf('shop'),
    inputs: fieldOf('shop').inputs.map((input) => ({
      ...input,
      optionsArray: Array.from({ length }, (_, at) => ({
        value: `${at}`,
        display: cities[at] ?? `City ${at}`,
      })),
    })) as FormField['inputs'],
  });

  test('with 20 options has a search, which ignores case and accents', async () => {
    const form = await show('shop');
    await form.set(many(19));
    await user.press(dropdown('shop, mandatory'));
    expect(screen.queryByLabelText('Search')).toBeNull();
    await user.press(screen.getByRole('button', { name: 'Close' }));
    await form.set(many(20));
    await user.press(dropdown('shop, mandatory'));
    const search = screen.getByLabelText('Search');
    for (const [typed, found] of [
      ['arhus', 'Århus'],
      ['KRAKOW', 'Kraków'],
      ['sao p', 'São Paulo'],
      ['القاهرة', 'القاهرة'],
    ] as const) {
      await user.clear(search);
      await user.type(search, typed);
      expect(screen.getAllByRole(isIos ? 'button' : 'radio').map(textOf)).toContain(found);
      expect(screen.queryByText('City 5')).toBeNull();
    }
    await user.clear(search);
    await user.type(search, 'Atlantis');
    expect(screen.getByText('Nothing found')).toBeOnTheScreen();
    await user.clear(search);
    await user.type(search, 'arhus');
    await user.press(option('Århus'));
    expect(form.answers).toEqual([['0']]);
    // The next time, all are there.
    await user.press(dropdown('shop, mandatory'));
    expect(screen.getByText('City 5')).toBeOnTheScreen();
  });
});

test('the customer adds and removes answers, and each keeps its name and its problem', async () => {
  const form = await show('children');
  await user.type(screen.getByLabelText('children'), 'Ann');
  await user.press(screen.getByRole('button', { name: 'Add a child' }));
  await user.type(screen.getByLabelText('children 2'), 'Ann');
  expect(problems()).toEqual(['', 'You have entered this already.']);
  await user.press(screen.getByRole('button', { name: 'Remove: children 1' }));
  expect([problems(), form.answers]).toEqual([[''], [['Ann']]]);
  expect(screen.queryByRole('button', { name: /Remove/ })).toBeNull();
});

test('VoiceOver and TalkBack get names, roles, hints and the focus', async () => {
  const sent = jest.spyOn(AccessibilityInfo, 'sendAccessibilityEvent');
  const form = await show('car');
  expect(await form.check()).toBe(false);
  expect(sent).toHaveBeenCalledWith(expect.anything(), 'focus');
  expect(dropdown('car, mandatory').props).toMatchObject({
    accessibilityHint: 'Please choose one.',
    accessibilityState: expect.objectContaining({ expanded: false }),
  });
  expect(screen.getAllByLabelText('car, mandatory')[1]?.props).toMatchObject({
    accessibilityHint: 'Please fill this in.',
  });
  expect(screen.getAllByLabelText('car, mandatory')).toHaveLength(2);
});

test('only VoiceOver needs to be told of a problem that appears while the customer types', async () => {
  const announced = jest.spyOn(AccessibilityInfo, 'announceForAccessibility');
  await show('digits');
  await user.type(screen.getByLabelText('digits'), '1ab2');
  const texts = announced.mock.calls.flat();
  expect(texts).toEqual(isIos ? ['Please use digits and spaces only.'] : []);
});

test('nobody can change a form that is disabled, or has to correct it', async () => {
  const form = await show('car', { disabled: true });
  await user.press(dropdown('car, mandatory'));
  await user.type(screen.getByPlaceholderText(''), 'M 1');
  expect(screen.queryByText('VW')).toBeNull();
  expect([await form.check(), form.told, problems()]).toEqual([true, [], ['', '']]);
});

test.each([
  ['letters', undefined, undefined],
  ['digits', 'numeric', undefined],
  ['symbols', undefined, undefined],
  ['numbersAndSymbols', undefined, isIos ? 'numbers-and-punctuation' : undefined],
])('the keyboard of %s has what it permits', async (id, inputMode, keyboardType) => {
  const form = await show('letters');
  const [input] = fieldOf('letters').inputs;
  const rules = { alpha: false, numbers: true, symbols: true };
  const both = { ...fieldOf('letters'), inputs: [{ ...input, ...rules }] } as unknown as FormField;
  await form.set(fields.get(id) ?? both);
  const { props } = screen.getByPlaceholderText('');
  expect([props.inputMode, props.keyboardType, props.maxLength]).toEqual([
    inputMode,
    keyboardType,
    undefined,
  ]);
});

test('colours follow the phone, styles the theme of the app, and texts its language', async () => {
  const styleOf = (node: Node | null) => StyleSheet.flatten(node?.props.style);
  const form = await show('name');
  const light = styleOf(screen.getByLabelText('name, mandatory'));
  const scheme = jest.requireMock('react-native/Libraries/Utilities/useColorScheme') as {
    default: jest.Mock;
  };
  scheme.default.mockReturnValue('dark');
  await form.set({ ...fieldOf('name') });
  const dark = styleOf(screen.getByLabelText('name, mandatory'));
  expect([light.color, light.backgroundColor]).not.toEqual([dark.color, dark.backgroundColor]);
  await form.set(fieldOf('name'), {
    theme: { dark: { text: 'gold' }, styles: { input: { borderRadius: 0 } } },
  });
  expect(styleOf(screen.getByLabelText('name, mandatory'))).toMatchObject({
    color: 'gold',
    borderRadius: 0,
  });
  scheme.default.mockReturnValue('light');
});

test('in an app that is read from right to left, so are its inputs', async () => {
  jest.replaceProperty(I18nManager, 'isRTL', true);
  await show('name');
  const { style } = screen.getByLabelText('name, mandatory').props;
  expect(StyleSheet.flatten(style)).toMatchObject({ textAlign: 'right' });
});

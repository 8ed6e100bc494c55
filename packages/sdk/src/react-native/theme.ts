import { type StyleProp, StyleSheet, type TextStyle, type ViewStyle } from 'react-native';

/** The colours of a form. */
export interface Colors {
  readonly text: string;
  /** Placeholders, and the word for mandatory. */
  readonly muted: string;
  readonly background: string;
  readonly border: string;
  /** Buttons, and the chosen option. */
  readonly accent: string;
  readonly problem: string;
}

/** The styles of the parts of a form. */
export interface FormStyles {
  /** Around the form. */
  readonly field: ViewStyle;
  readonly caption: TextStyle;
  /** The box of a text input and of a dropdown. */
  readonly input: ViewStyle;
  /** The text in inputs and options. */
  readonly text: TextStyle;
  readonly problem: TextStyle;
  readonly button: ViewStyle;
  readonly buttonText: TextStyle;
  /** The list of options over the screen. */
  readonly list: ViewStyle;
  readonly option: ViewStyle;
}

/** Changes of colours, in light and in dark mode, and of styles. */
export interface Theme {
  readonly light?: Partial<Colors> | undefined;
  readonly dark?: Partial<Colors> | undefined;
  readonly styles?: Partial<FormStyles> | undefined;
}

/** Each has a contrast of 4.5 or more with the background, the border of 3. */
const LIGHT: Colors = {
  text: '#1c1c1e',
  muted: '#5f6368',
  background: '#ffffff',
  border: '#80868b',
  accent: '#1558b0',
  problem: '#b3261e',
};
const DARK: Colors = {
  text: '#f2f2f7',
  muted: '#a8acb3',
  background: '#1c1c1e',
  border: '#7d8187',
  accent: '#8ab4f8',
  problem: '#ff8a80',
};

/** The colours of a form, and the styles of its parts. */
export interface Look {
  readonly colors: Colors;
  readonly styles: { readonly [TPart in keyof FormStyles]: StyleProp<FormStyles[TPart]> };
}

/** Returns how a form looks. No part has a fixed height, so that large text fits. */
export function lookOf({ light, dark, styles = {} }: Theme, isDark: boolean): Look {
  const colors: Colors = isDark ? { ...DARK, ...dark } : { ...LIGHT, ...light };
  const { text, background, border, accent, problem } = colors;
  const surface = { backgroundColor: background, borderColor: border };
  return {
    colors,
    styles: {
      field: [LAYOUT.field, styles.field],
      caption: [LAYOUT.caption, { color: text }, styles.caption],
      input: [LAYOUT.input, surface, styles.input],
      text: [LAYOUT.text, { color: text }, styles.text],
      problem: [LAYOUT.problem, { color: problem }, styles.problem],
      button: [LAYOUT.button, styles.button],
      buttonText: [LAYOUT.buttonText, { color: accent }, styles.buttonText],
      list: [LAYOUT.list, surface, styles.list],
      option: [LAYOUT.option, styles.option],
    },
  };
}

/** Fingers need 48 points. */
const LAYOUT = StyleSheet.create({
  field: { gap: 8 },
  caption: { fontSize: 16, fontWeight: '600' },
  input: {
    minHeight: 48,
    paddingHorizontal: 12,
    paddingVertical: 8,
    borderWidth: 1,
    borderRadius: 8,
  },
  text: { fontSize: 16 },
  problem: { fontSize: 14, marginTop: 4 },
  button: {
    minHeight: 48,
    paddingHorizontal: 12,
    justifyContent: 'center',
    alignSelf: 'flex-start',
  },
  buttonText: { fontSize: 16, fontWeight: '600' },
  list: {
    maxHeight: '80%',
    paddingTop: 8,
    paddingBottom: 32,
    paddingHorizontal: 16,
    borderTopLeftRadius: 16,
    borderTopRightRadius: 16,
  },
  option: {
    minHeight: 48,
    paddingVertical: 8,
    flexDirection: 'row',
    alignItems: 'center',
    gap: 12,
  },
});

import type { ReactElement } from 'react';
import { Platform, TextInput, type TextInputProps } from 'react-native';
import type { SubField } from '../types.ts';
import { alignment, type ControlProps } from './control.ts';

/**
 * An input for text. It has no `maxLength`: React Native counts the units of UTF-16 and cuts an
 * emoji in two, while a limit of the configuration counts characters and becomes a problem.
 */
export function TextControl(props: ControlProps): ReactElement {
  const { shown, look, isDisabled, labels, hold, enter } = props;
  const { colors, styles } = look;
  return (
    <TextInput
      ref={hold}
      value={shown.answer}
      onChangeText={enter}
      placeholder={shown.input.placeHolderText}
      placeholderTextColor={colors.muted}
      editable={!isDisabled}
      style={[
        styles.input,
        styles.text,
        shown.problem !== '' && { borderColor: colors.problem },
        alignment(),
      ]}
      {...keyboardOf(shown.input)}
      {...labels}
    />
  );
}

/**
 * Returns the keyboard that has the permitted characters. Android has none for digits and symbols:
 * its keyboard for telephone numbers refuses most symbols.
 */
function keyboardOf({ alpha, numbers, symbols }: SubField): TextInputProps {
  if (alpha || !numbers) return {};
  if (!symbols) return { inputMode: 'numeric' };
  return Platform.OS === 'ios' ? { keyboardType: 'numbers-and-punctuation' } : {};
}

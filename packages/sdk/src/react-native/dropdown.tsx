import { type ReactElement, useId, useState } from 'react';
import { Keyboard, Platform, Pressable, StyleSheet, Text } from 'react-native';
import type { ControlProps } from './control.ts';
import { OptionList } from './option-list.tsx';

/** A dropdown: a button that opens the list of its options. */
export function Dropdown(props: ControlProps): ReactElement {
  const { shown, look, texts, isDisabled, labels, hold, enter } = props;
  const [isOpen, setIsOpen] = useState(false);
  const listId = useId();
  const { input, answer, name, problem } = shown;
  const { colors, styles } = look;
  const prompt = input.placeHolderText || texts.choose;
  const chosen = input.optionsArray.find(({ value }) => value === answer)?.display;
  const open = () => {
    Keyboard.dismiss();
    setIsOpen(true);
  };
  const close = () => setIsOpen(false);
  return (
    <>
      <Pressable
        ref={hold}
        // VoiceOver knows no combo boxes, and would not say that it is a control.
        role={Platform.OS === 'ios' ? 'button' : 'combobox'}
        aria-expanded={isOpen}
        {...(Platform.OS === 'web' && isOpen && { 'aria-controls': listId })}
        accessibilityValue={{ text: chosen ?? prompt }}
        disabled={isDisabled}
        onPress={open}
        style={[styles.input, LAYOUT.row, problem !== '' && { borderColor: colors.problem }]}
        {...labels}
      >
        <Text style={[styles.text, LAYOUT.text, chosen === undefined && { color: colors.muted }]}>
          {chosen ?? prompt}
        </Text>
        <Text aria-hidden style={[styles.text, { color: colors.muted }]}>
          ▾
        </Text>
      </Pressable>
      {isOpen && (
        <OptionList
          id={listId}
          title={name}
          options={[{ value: '', display: prompt }, ...input.optionsArray]}
          answer={answer}
          look={look}
          texts={texts}
          close={close}
          choose={(value) => {
            close();
            enter(value);
          }}
        />
      )}
    </>
  );
}

const LAYOUT = StyleSheet.create({
  row: { flexDirection: 'row', alignItems: 'center', gap: 8 },
  text: { flex: 1 },
});

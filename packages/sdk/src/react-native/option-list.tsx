import { type ReactElement, useState } from 'react';
import {
  FlatList,
  Modal,
  Platform,
  Pressable,
  StyleSheet,
  Text,
  TextInput,
  View,
} from 'react-native';
import { Button } from './button.tsx';
import { alignment } from './control.ts';
import type { NativeFormTexts } from './texts.ts';
import type { Look } from './theme.ts';

/** The fewest options of a list with a search, without the one for no answer. */
const SEARCHED = 20;

interface Option {
  readonly value: string;
  readonly display: string;
}

interface Props {
  readonly id: string;
  readonly title: string;
  /** The options with the one for no answer, whose value is ''. */
  readonly options: readonly Option[];
  readonly answer: string;
  readonly look: Look;
  readonly texts: NativeFormTexts;
  readonly close: () => void;
  readonly choose: (value: string) => void;
}

/** The options of a dropdown over the screen. */
export function OptionList(props: Props): ReactElement {
  const { id, title, options, answer, look, texts, close, choose } = props;
  const [search, setSearch] = useState('');
  const { colors, styles } = look;
  const searched = searchable(search);
  const matches = options.filter(({ display }) => searchable(display).includes(searched));
  return (
    <Modal
      aria-label={title}
      animationType="fade"
      transparent
      // By default, it would turn an app in landscape.
      supportedOrientations={['portrait', 'landscape']}
      onRequestClose={close}
    >
      <View style={LAYOUT.screen}>
        <View
          style={[StyleSheet.absoluteFill, LAYOUT.around]}
          onStartShouldSetResponder={() => true}
          onResponderRelease={close}
        />
        <View id={id} accessibilityViewIsModal style={styles.list}>
          <View style={LAYOUT.header}>
            <Text role="heading" style={[styles.caption, LAYOUT.text]}>
              {title}
            </Text>
            <Button look={look} text={texts.close} name={texts.close} press={close} />
          </View>
          {options.length > SEARCHED && (
            <TextInput
              aria-label={texts.search}
              value={search}
              onChangeText={setSearch}
              placeholder={texts.search}
              placeholderTextColor={colors.muted}
              autoCorrect={false}
              style={[styles.input, styles.text, LAYOUT.search, alignment()]}
            />
          )}
          <FlatList
            data={matches}
            keyExtractor={({ value }) => value}
            extraData={[answer, look]}
            keyboardShouldPersistTaps="handled"
            automaticallyAdjustKeyboardInsets
            renderItem={({ item: { value, display } }) => (
              <Pressable
                aria-label={display}
                {...rolesOf(value === answer)}
                style={styles.option}
                onPress={() => choose(value)}
              >
                <Text style={[styles.text, LAYOUT.text, value === '' && { color: colors.muted }]}>
                  {display}
                </Text>
                {value === answer && (
                  <Text aria-hidden style={[styles.text, { color: colors.accent }]}>
                    ✓
                  </Text>
                )}
              </Pressable>
            )}
            ListEmptyComponent={
              <Text role="status" style={[styles.text, { color: colors.muted }]}>
                {texts.noMatch}
              </Text>
            }
          />
        </View>
      </View>
    </Modal>
  );
}

/** Returns a text for comparison: without case, accents and marks. */
function searchable(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

/** VoiceOver knows no radio buttons. */
function rolesOf(isChosen: boolean) {
  return Platform.OS === 'ios'
    ? ({ role: 'button', 'aria-selected': isChosen } as const)
    : ({ role: 'radio', 'aria-checked': isChosen } as const);
}

const LAYOUT = StyleSheet.create({
  screen: { flex: 1, justifyContent: 'flex-end' },
  around: { backgroundColor: 'rgba(0, 0, 0, 0.5)' },
  header: { flexDirection: 'row', alignItems: 'center', gap: 8 },
  // React Native for Web would make it smaller than its text.
  search: { flexShrink: 0 },
  text: { flex: 1 },
});

import type { ReactElement } from 'react';
import { Pressable, Text } from 'react-native';
import type { Look } from './theme.ts';

interface Props {
  readonly text: string;
  /** Its name for screen readers. */
  readonly name: string;
  readonly look: Look;
  readonly isDisabled?: boolean;
  readonly press: () => void;
}

export function Button({
  text,
  name,
  look: { styles },
  isDisabled = false,
  press,
}: Props): ReactElement {
  return (
    <Pressable
      role="button"
      aria-label={name}
      disabled={isDisabled}
      onPress={press}
      style={styles.button}
    >
      <Text style={styles.buttonText}>{text}</Text>
    </Pressable>
  );
}

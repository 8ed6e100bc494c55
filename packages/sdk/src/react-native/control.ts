import type { ComponentRef } from 'react';
import {
  AccessibilityInfo,
  I18nManager,
  Platform,
  type ScrollView,
  type TextInput,
  type View,
} from 'react-native';
import type { ShownInput } from '../form-state.ts';
import type { NativeFormTexts } from './texts.ts';
import type { Look } from './theme.ts';

/** An element of React Native that can have the focus. */
export type Host = ComponentRef<typeof TextInput> | ComponentRef<typeof View>;

export type Scroller = ComponentRef<typeof ScrollView>;

/** All that an input of any kind is drawn from. */
export interface ControlProps {
  readonly shown: ShownInput;
  readonly look: Look;
  readonly texts: NativeFormTexts;
  readonly isDisabled: boolean;
  readonly labels: Labels;
  readonly hold: (host: Host | null) => void;
  readonly enter: (answer: string) => void;
}

interface Labels {
  readonly 'aria-label': string;
  readonly 'aria-required'?: boolean;
  readonly 'aria-invalid'?: boolean;
  readonly 'aria-describedby'?: string;
  readonly accessibilityHint?: string | undefined;
}

/**
 * Tells screen readers about an input. React Native has no words for "required" and "invalid":
 * VoiceOver and TalkBack read the name with the first, and the problem as a hint.
 *
 * @param describedBy the id of the element that shows the problem.
 */
export function labelsOf(
  { name, problem }: ShownInput,
  isRequired: boolean,
  { mandatory }: NativeFormTexts,
  describedBy: string,
): Labels {
  if (Platform.OS === 'web') {
    return {
      'aria-label': name,
      'aria-required': isRequired,
      'aria-invalid': problem !== '',
      'aria-describedby': describedBy,
    };
  }
  return {
    'aria-label': isRequired ? `${name}, ${mandatory}` : name,
    accessibilityHint: problem || undefined,
  };
}

/** Aligns an input, which does not follow the direction of the app as a Text does. */
export function alignment(): false | { readonly textAlign: 'right' } {
  return I18nManager.isRTL && { textAlign: 'right' };
}

/** VoiceOver reads a problem that appears while the customer types. TalkBack sees it by itself. */
export function announce(problem: string): void {
  if (Platform.OS === 'ios') AccessibilityInfo.announceForAccessibility(problem);
}

/** Points above an input that is scrolled to, for its caption. */
const ABOVE = 56;

/** Moves the focus to an input, and that of screen readers, and scrolls to it. */
export function focusOn(host: Host, scrollView: Scroller | null | undefined): void {
  // Only a text input takes the focus of React Native.
  if (Platform.OS === 'web' || 'isFocused' in host) host.focus();
  else AccessibilityInfo.sendAccessibilityEvent(host, 'focus');
  const content = scrollView?.getInnerViewRef();
  if (!content) return;
  host.measureLayout(content, (_left, top) => {
    scrollView?.scrollTo({ y: Math.max(0, top - ABOVE) });
  });
}

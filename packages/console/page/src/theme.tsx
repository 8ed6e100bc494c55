import { useState } from 'preact/hooks';
import { TEXTS } from './texts.ts';

const KEY = 'theme';
const THEMES = ['', 'light', 'dark'] as const;

/** Shows the page in the theme that the operator has chosen; without a choice, in the system's. */
export function applyTheme(): void {
  const theme = THEMES.find((one) => one === localStorage.getItem(KEY));
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/** Chooses the theme, which the browser keeps. */
export function ThemeChoice() {
  const [theme, setTheme] = useState(localStorage.getItem(KEY) ?? '');
  return (
    <select
      class="theme"
      aria-label={TEXTS.theme.label}
      value={theme}
      onChange={({ currentTarget: { value } }) => {
        localStorage.setItem(KEY, value);
        setTheme(value);
        applyTheme();
      }}
    >
      {THEMES.map((one) => (
        <option key={one} value={one}>
          {TEXTS.theme[one || 'system']}
        </option>
      ))}
    </select>
  );
}

import type { Finding } from 'customer-data-api/configuration';
import { useState } from 'preact/hooks';
import type { Comparison } from '../answers.ts';
import { changedIds } from '../draft/draft.ts';
import { translatedLanguages } from '../draft/languages.ts';
import { PlacedFindings } from '../findings/findings.tsx';
import { LanguageChoice, Phone, ScreenTabs, whereDifferent } from '../parts/phone.tsx';
import { Effects } from '../parts/sentences.tsx';
import { TEXTS } from '../texts.ts';

interface Props {
  readonly comparison: Comparison;
  /** The findings after a change. */
  readonly findings?: readonly Finding[];
  /** Name the phones. */
  readonly names: readonly [before: string, after: string];
}

/** Shows two configurations: their difference in words, as two phones, and as lines. */
export function ComparisonView({ comparison, findings = [], names }: Props) {
  const { changes, before, after, lines } = comparison;
  const [{ screen, language }, show] = useState(() => whereDifferent(before, after));
  const edited = changedIds(before, after);
  return (
    <>
      <h3>{TEXTS.effects}</h3>
      <Effects>{changes}</Effects>
      {findings.length > 0 && (
        <>
          <h3>Warnings</h3>
          <PlacedFindings findings={findings} />
        </>
      )}
      <ScreenTabs screen={screen} onChange={(one) => show({ screen: one, language })}>
        <LanguageChoice
          own={after.language}
          translated={translatedLanguages(before, after)}
          language={language}
          onChange={(one) => show({ screen, language: one })}
        />
      </ScreenTabs>
      <div class="phones">
        <Phone {...{ screen, language, edited }} isInert content={before} title={names[0]} />
        <Phone {...{ screen, language, edited }} isInert content={after} title={names[1]} />
      </div>
      <details>
        <summary>Technical details</summary>
        <pre class="lines">
          {lines.map((line, index) => (
            <span key={index} class={{ '+': 'added', '-': 'removed' }[line[0] ?? '']}>
              {`${line}\n`}
            </span>
          ))}
        </pre>
      </details>
    </>
  );
}

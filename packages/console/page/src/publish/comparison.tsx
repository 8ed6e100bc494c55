import type { Finding } from 'customer-data-api/configuration';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Comparison } from '../answers.ts';
import { translatedLanguages } from '../draft/languages.ts';
import { PlacedFindings } from '../findings/findings.tsx';
import { LanguageTabs, Phone, ScreenTabs, whereDifferent } from '../parts/phone.tsx';
import { Effects } from '../parts/sentences.tsx';
import { TEXTS } from '../texts.ts';

interface Props {
  readonly comparison: Comparison;
  /** The findings after a change. */
  readonly findings?: readonly Finding[];
  /** Name the phones. */
  readonly names: readonly [before: string, after: string];
  /** Stands above the technical details. */
  readonly children?: ComponentChildren;
}

/** Shows two configurations: their difference in words, as two phones, and as lines. */
export function ComparisonView({ comparison, findings = [], names, children }: Props) {
  const { effects, before, after, lines } = comparison;
  const [{ screen, language }, show] = useState(() => whereDifferent(before, after));
  const phone = { screen, language };
  return (
    <div class="comparison">
      <div>
        <h3>{TEXTS.effects}</h3>
        <Effects>{effects}</Effects>
        {findings.length > 0 && (
          <>
            <h3>Warnings</h3>
            <PlacedFindings findings={findings} content={after} live={before} />
          </>
        )}
      </div>
      <div>
        <LanguageTabs
          own={after.language}
          translated={translatedLanguages(before, after)}
          language={language}
          onChange={(one) => show({ screen, language: one })}
        />
        <ScreenTabs screen={screen} onChange={(one) => show({ screen: one, language })} />
        <div class="phones">
          <Phone {...phone} content={before} other={after} title={names[0]} />
          <Phone {...phone} content={after} other={before} title={names[1]} />
        </div>
      </div>
      <div>
        {children}
        <details>
          <summary>Technical details</summary>
          <pre>
            {lines.map((line, index) => (
              <span key={index} class={{ '+': 'added', '-': 'removed' }[line[0] ?? '']}>
                {`${line}\n`}
              </span>
            ))}
          </pre>
        </details>
      </div>
    </div>
  );
}

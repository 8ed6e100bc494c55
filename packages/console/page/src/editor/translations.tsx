import { languageName } from 'customer-data-api/configuration';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { languageAttributes } from '../draft/languages.ts';
import { labelOf } from '../findings/finding-text.ts';
import { Findings } from '../findings/findings.tsx';
import { Button } from '../parts/button.tsx';
import { Labeled } from '../parts/labeled.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { TEXTS } from '../texts.ts';
import { type Part, partAt, placed } from './field-part.ts';
import { type Option, optionsOf } from './option-lines.ts';

interface Props {
  readonly part: Part;
  readonly name: string;
  /** The control of the text itself. */
  readonly children: ComponentChildren;
}

/** Shows the translations of a text, or of the texts of options, beside its control. */
export function Translated({ part: { map, translation }, name, children }: Props) {
  if (!translation) return <>{children}</>;
  const { language, part } = translation;
  const label = TEXTS.in(labelOf([name]), languageName(language));
  return (
    <div class="translated">
      <div>{children}</div>
      {name === 'optionsArray' ? (
        <OptionTexts
          key={language}
          {...{ label, language }}
          options={optionsOf(map)}
          part={partAt(part, 'options')}
        />
      ) : (
        <TranslatedText {...{ label, language, name, part }} original={map[name]} />
      )}
    </div>
  );
}

interface TextProps {
  readonly label: string;
  readonly original: unknown;
  readonly language: string;
  readonly name: string;
  /** The translation that has the text. */
  readonly part: Part;
}

/** A translation of a text. It says if it is missing. */
function TranslatedText({ label, original, language, name, part }: TextProps) {
  const stored = Object.hasOwn(part.map, name) ? part.map[name] : undefined;
  const isMissing = isBlank(stored) && !isBlank(original);
  return (
    <div class={isMissing ? 'missing' : ''}>
      <Labeled
        label={
          <>
            <bdi>{label}</bdi> {isMissing && <span class="badge warning">missing</span>}
          </>
        }
        findings={<Findings findings={placed(part.findings, name)} />}
      >
        <TextInput
          value={String(stored ?? '')}
          onInput={(changed) => part.edit([name], changed || undefined)}
          {...languageAttributes(language)}
        />
      </Labeled>
    </div>
  );
}

const isBlank = (text: unknown) => typeof text !== 'string' || text.trim() === '';

/** The most rows: more make typing slow. */
const MAX_ROWS = 100;

interface OptionTextsProps extends Pick<TextProps, 'label' | 'language' | 'part'> {
  readonly options: readonly Option[];
}

/** The translations of options. Of a long list, those that were missing or are wrong come first. */
function OptionTexts({ label, options, language, part }: OptionTextsProps) {
  const [missing] = useState(() => options.filter(({ value }) => !Object.hasOwn(part.map, value)));
  const [most, setMost] = useState(MAX_ROWS);
  const texts = new Map(options.toReversed().map(({ value, display }) => [value, display]));
  const isWrong = ({ value }: Option) => placed(part.findings, value).length > 0;
  const first = options.length > MAX_ROWS ? [...missing, ...options.filter(isWrong)] : [];
  const rows = new Set([...first, ...options].map(({ value }) => value));
  if (rows.size === 0) return null;
  return (
    <div class="texts">
      {label}
      <div class="scroll">
        {[...rows].slice(0, most).map((name) => {
          const text = texts.get(name);
          if (text === undefined) return null;
          return (
            <TranslatedText key={name} {...{ label: text, original: text, language, name, part }} />
          );
        })}
      </div>
      {rows.size > most && (
        <Button onClick={() => setMost(rows.size)}>{`Show all ${rows.size} options`}</Button>
      )}
    </div>
  );
}

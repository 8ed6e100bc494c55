import { isEqual } from 'customer-data-api/configuration';
import { say, type Sentence as Text } from 'customer-data-api/sentences';
import { useEffect, useState } from 'preact/hooks';
import type { EarlierOptions } from '../answers.ts';
import { useLoaded } from '../api.ts';
import { isAboutName } from '../findings/finding-text.ts';
import { Findings } from '../findings/findings.tsx';
import { Button } from '../parts/button.tsx';
import { Labeled } from '../parts/labeled.tsx';
import { Names, Sentence } from '../parts/sentences.tsx';
import { TextArea, TextInput } from '../parts/text-input.tsx';
import { ATTRIBUTES } from '../texts.ts';
import type { Part } from './field-part.ts';
import {
  editedLine,
  type Known,
  keyOf,
  linesOf,
  type Option,
  optionsFromLines,
  optionsOf,
  otherValue,
  repeatedTexts,
  sortedOptions,
  type ValueState,
  valueState,
  withEarlierValues,
  withoutDuplicates,
} from './option-lines.ts';

const NAME = 'optionsArray';
/** The most rows: more make typing slow. */
const MAX_ROWS = 100;

/** The options of a dropdown: their texts as lines, and their values. */
export function OptionEditor({ part }: { readonly part: Part }) {
  const { map, edit, published = [], history } = part;
  const options = optionsOf(map);
  const texts = options.map(({ display }) => display).join('\n');
  const [typed, setTyped] = useState('');
  // The lines as they were typed, with empty ones, as long as they are what is stored.
  const isTyped = linesOf(typed).join('\n') === texts;
  const setOptions = (changed: readonly Option[]) => edit([NAME], changed);
  /** The options before the first line with a text that is not live. It asks the history. */
  const live = new Set(published.map(({ display }) => display));
  const hasNew = options.some(({ display }) => !live.has(display));
  const [asked, setAsked] = useState(hasNew ? options : undefined);
  const { value } = useLoaded<EarlierOptions>(asked && history?.path);
  const earlier = value?.options.filter(({ input }) => input === history?.input);
  const known: Known = { published, earlier };
  const onLines = (text: string) => {
    const lines = linesOf(text);
    const edited = editedLine(isTyped ? typed : texts, text);
    setTyped(text);
    if (!asked && lines.some((line) => !live.has(line))) setAsked(options);
    setOptions(optionsFromLines(lines, options, known, edited));
  };
  useEffect(() => {
    if (!asked || !value) return;
    const changed = withEarlierValues(options, asked, known);
    if (!isEqual(changed, options)) setOptions(changed);
  }, [value]);
  const repeated = repeatedTexts(options);
  const findings = part.findings.filter(({ path }) => path[0] === NAME);
  const isOfValue = ({ path }: (typeof findings)[number]) => path[2] === 'value';
  return (
    <div class="options">
      <Labeled
        label={`${ATTRIBUTES[NAME]}, one per line`}
        help="A line that moves, or that you edit alone, keeps its stored value. A text that customers could choose before gets its value again."
        findings={
          <Findings
            findings={findings.filter((one) => !isOfValue(one))}
            lines={isTyped ? filledLines(typed) : firstLines(options)}
            remover={(finding) =>
              isAboutName(finding) ? () => edit(finding.path, undefined, true) : undefined
            }
          />
        }
      >
        <TextArea value={isTyped ? typed : texts} onInput={onLines} />
      </Labeled>
      {repeated.length > 0 && (
        <p class="warning" role="status">
          In several lines: <Names>{repeated.slice(0, MAX_ROWS).map(quoted)}</Names>. Customers
          cannot tell them apart.
        </p>
      )}
      <p class="actions">
        <Button onClick={() => edit([NAME], sortedOptions(options), true)}>Sort by text</Button>
        <Button onClick={() => edit([NAME], withoutDuplicates(options, published), true)}>
          Remove duplicates
        </Button>
      </p>
      <Values
        {...{ options, known }}
        findings={findings.filter(isOfValue)}
        onValue={(index, value) => edit([NAME, index, 'value'], value)}
      />
    </div>
  );
}

/** Returns the numbers of the lines that are not blank. */
function filledLines(text: string): number[] {
  return text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [index + 1]));
}

/** Returns the number of each option's first line. A stored text can have several. */
function firstLines(options: readonly Option[]): number[] {
  let next = 1;
  return options.map(({ display }) => {
    const first = next;
    next += display.split('\n').length;
    return first;
  });
}

interface ValuesProps {
  readonly options: readonly Option[];
  readonly known: Known;
  /** Their paths start with the list. */
  readonly findings: Part['findings'];
  readonly onValue: (index: number, value: string) => void;
}

/** Shows the value of each line, and what becomes of the published values. */
function Values({ options, known, findings, onValue }: ValuesProps) {
  const { published, earlier } = known;
  const [chosen, setChosen] = useState<boolean>();
  const [most, setMost] = useState(MAX_ROWS);
  const values = new Set(options.map(({ value }) => value));
  const removed = published.filter(({ value }) => !values.has(value));
  const removedTexts = removed.slice(0, MAX_ROWS).map(({ display }) => quoted(display));
  const byValue = new Map(published.map(({ value, display }) => [value, display]));
  const past = new Set(earlier?.map(keyOf));
  const states = options.map((option) => valueState(option, byValue, past));
  const isChanged =
    published.length > 0 && (removed.length > 0 || states.some((one) => one !== 'kept'));
  const isOpen = chosen ?? (isChanged || findings.length > 0);
  if (options.length === 0) return null;
  const all = options.map((option, index) => ({ ...option, index, state: states[index] ?? 'new' }));
  // What changed, or is wrong, comes first in a long list.
  const isLong = all.length > MAX_ROWS;
  const isFirst = ({ state, index }: (typeof all)[number]) =>
    state !== 'kept' || findings.some(({ path }) => path[1] === index);
  const rows = isLong ? [...all.filter(isFirst), ...all.filter((row) => !isFirst(row))] : all;
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        if (open !== isOpen) setChosen(open);
      }}
    >
      <summary>Values that apps store</summary>
      {isOpen && removed.length > 0 && (
        <p class="warning">
          Removed: <Names>{removedTexts}</Names>. Customers who chose one keep its value, which no
          app shows.
        </p>
      )}
      <div class="scroll">
        {(isOpen || findings.length > 0) &&
          rows.slice(0, most).map(({ index, value, display, state }) => {
            // What was published in this line.
            const old = removed.find((one) => one === published[index]);
            return (
              <div key={index}>
                <Labeled
                  label={<bdi>{display}</bdi>}
                  findings={
                    <Findings findings={findings.filter(({ path }) => path[1] === index)} />
                  }
                >
                  <TextInput value={value} onInput={(text) => onValue(index, text)} />
                </Labeled>
                {published.length > 0 && (
                  <p class="actions quiet">
                    <span>
                      <Sentence>{fateOf(state, byValue.get(value))}</Sentence>
                    </span>
                    {state === 'corrected' && (
                      <Button
                        onClick={() => {
                          const option = { value, display };
                          onValue(index, otherValue(option, options, known));
                        }}
                      >
                        It is another option
                      </Button>
                    )}
                    {state === 'new' && old && (
                      <Button onClick={() => onValue(index, old.value)}>
                        Keep <bdi>{old.value}</bdi>, the value of <bdi>{quoted(old.display)}</bdi>
                      </Button>
                    )}
                  </p>
                )}
              </div>
            );
          })}
      </div>
      {isOpen && rows.length > most && (
        <Button onClick={() => setMost(rows.length)}>{`Show all ${rows.length} values`}</Button>
      )}
    </details>
  );
}

function quoted(text: string): string {
  return `"${text}"`;
}

/** Says what becomes of a value. */
function fateOf(state: ValueState, published = ''): Text {
  if (state === 'kept') return 'Customers who chose it keep this answer.';
  if (state === 'back') return 'Back: customers who chose it before have it again.';
  return state === 'corrected' ? say`Kept: the text was ${quoted(published)}.` : 'New.';
}

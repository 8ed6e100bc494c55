import { useState } from 'preact/hooks';
import { type Bar, barsOf, type Unit, usualUnit } from '../codes.ts';
import { TEXTS } from '../texts.ts';
import type { Codes } from '../types.ts';
import { Button, Table } from './basics.tsx';

const HEIGHT = 100;
const texts = TEXTS.codes.chart;

/** Draws the codes per hour or day, with the bounds of what was read. */
export function CodesChart({ codes: { hours, read, rest } }: { readonly codes: Codes }) {
  const [chosen, setUnit] = useState<Unit>();
  const unit = chosen ?? usualUnit(hours);
  const { bars, left } = barsOf(hours, unit);
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return null;
  const most = bars.reduce((max, bar) => (bar.count > max.count ? bar : max));
  const named = ({ at }: Bar) => timeOf(at, unit);
  const end = unit === 'day' ? last.at : endOfHour(last);
  const bounds = texts.label(unit, named(first), timeOf(end, unit));
  const label = rest ? texts.ofRead(bounds, read) : bounds;
  return (
    <figure>
      <fieldset class="actions" aria-label={texts.unit}>
        {Object.entries(texts.units).map(([one, name]) => (
          <Button key={one} aria-pressed={one === unit} onClick={() => setUnit(one as Unit)}>
            {name}
          </Button>
        ))}
        <span class="quiet">{texts.most(most.count, named(most))}</span>
      </fieldset>
      <svg
        class="chart"
        role="img"
        aria-label={`${label}. ${texts.most(most.count, named(most))}`}
        viewBox={`0 0 ${bars.length} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {bars.map((bar, index) => {
          const height = (bar.count / most.count) * HEIGHT;
          return (
            <rect key={+bar.at} x={index + 0.1} y={HEIGHT - height} width={0.8} height={height}>
              <title>{texts.bar(named(bar), bar.count)}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption>
        {label}. {left > 0 && texts.cut(left)}
      </figcaption>
      <details>
        <summary>{texts.table}</summary>
        <Table
          columns={texts.columns}
          rows={bars
            .filter(({ count }) => count > 0)
            .map((bar) => [named(bar), bar.count])
            .reverse()}
        />
      </details>
    </figure>
  );
}

function endOfHour({ at }: Bar): Date {
  return new Date(at.getTime() + 3_600_000);
}

function timeOf(at: Date, unit: Unit): string {
  const time = unit === 'day' ? {} : ({ timeStyle: 'short' } as const);
  return at.toLocaleString(undefined, { dateStyle: 'medium', ...time });
}

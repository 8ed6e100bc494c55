import { useState } from 'preact/hooks';
import type { Codes } from '../answers.ts';
import { type Bar, barsOf, type Unit, usualUnit } from '../codes.ts';
import { TEXTS } from '../texts.ts';
import { Button, Table, timeZone } from './basics.tsx';

const HEIGHT = 100;
/** The most times that are named below the bars, and beside the highest number. */
const MAX_TICKS = 6;
const MAX_NAMED = 5;
const texts = TEXTS.codes.chart;

/** Draws the codes per hour or day, with the bounds of what was read. */
export function CodesChart({ codes: { hours, read, rest } }: { readonly codes: Codes }) {
  const [chosen, setUnit] = useState<Unit>();
  const unit = chosen ?? usualUnit(hours);
  const { bars, left } = barsOf(hours, unit);
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return null;
  const most = Math.max(...bars.map(({ count }) => count));
  const named = ({ at }: Bar) => timeOf(at, unit);
  const end = unit === 'day' ? last.at : endOfHour(last);
  const bounds = texts.label(unit, named(first), timeOf(end, unit));
  const label = rest ? texts.ofRead(bounds, read) : bounds;
  const highest = bars.filter(({ count }) => count === most).map(named);
  const others = highest.splice(MAX_NAMED);
  const mostAt = texts.most(most, [
    ...highest,
    ...(others.length > 0 ? [texts.others(others.length)] : []),
  ]);
  const step = Math.ceil(bars.length / MAX_TICKS);
  return (
    <figure>
      <fieldset class="actions" aria-label={texts.unit}>
        {Object.entries(texts.units).map(([one, name]) => (
          <Button key={one} aria-pressed={one === unit} onClick={() => setUnit(one as Unit)}>
            {name}
          </Button>
        ))}
        <span class="quiet">{mostAt}</span>
      </fieldset>
      <svg
        class="chart"
        role="img"
        aria-label={`${label}. ${mostAt}`}
        viewBox={`0 0 ${bars.length} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {bars.map((bar, index) => {
          const height = (bar.count / most) * HEIGHT;
          return (
            <rect key={+bar.at} x={index + 0.1} y={HEIGHT - height} width={0.8} height={height}>
              <title>{texts.bar(named(bar), bar.count)}</title>
            </rect>
          );
        })}
      </svg>
      <div class="axis quiet" aria-hidden="true">
        {bars.map(
          ({ at }, index) =>
            index % step === 0 && (
              <span key={+at} style={{ flexGrow: Math.min(step, bars.length - index) }}>
                {tickOf(at, unit)}
              </span>
            ),
        )}
      </div>
      <figcaption>
        {label}. {left > 0 && texts.cut(left)}
      </figcaption>
      <details>
        <summary>{texts.table}</summary>
        <Table
          columns={texts.columns(timeZone())}
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
  const time = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
  const date = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  return at.toLocaleString(undefined, unit === 'day' ? date : { ...date, ...time });
}

function tickOf(at: Date, unit: Unit): string {
  return at.toLocaleString(
    undefined,
    unit === 'day' ? { month: 'short', day: 'numeric' } : { hour: 'numeric' },
  );
}

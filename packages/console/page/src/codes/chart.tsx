import { counted } from 'customer-data-api/configuration';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Codes } from '../answers.ts';
import { Button, timeZone } from '../parts/basics.tsx';
import { Table } from '../parts/table.tsx';
import { numbered } from '../texts.ts';
import { type Bar, barsOf, type Counts, mostSent, sumOf, type Unit, usualUnit } from './counts.ts';

const HEIGHT = 100;
/** The most times that are named below the bars. */
const MAX_TICKS = 6;
const UNITS = { hour: 'By hour', day: 'By day', code: 'By code' };
const KINDS = { applied: 'applied', repeated: 'sent again' };

/** Says what was found, without calling a repetition a code. */
export function foundText({ applied, repeated }: Counts): string {
  return `${counted(applied, 'code')} applied, ${numbered(repeated)} sent again`;
}

/** Draws what was found by hour, day or code, with the bounds of what was read. */
export function CodesChart({ codes }: { readonly codes: Codes }) {
  const { hours, read, rest } = codes;
  const [chosen, setUnit] = useState<Unit>();
  const unit = chosen ?? usualUnit(hours);
  if (Object.keys(hours).length === 0) return null;
  const of = rest ? `, of the ${numbered(read)} entries that were read` : '';
  return (
    <figure class="box">
      <fieldset class="actions" aria-label="Chart">
        {Object.entries(UNITS).map(([one, name]) => (
          <Button key={one} aria-pressed={one === unit} onClick={() => setUnit(one as Unit)}>
            {name}
          </Button>
        ))}
      </fieldset>
      <p class="actions small">
        {Object.entries(KINDS).map(([kind, name]) => (
          <span key={kind}>
            <span class={`key ${kind}`} aria-hidden="true" /> {name}
          </span>
        ))}
      </p>
      {unit === 'code' ? <ByCode {...{ codes, of }} /> : <ByTime {...{ hours, unit, of }} />}
    </figure>
  );
}

interface ByTimeProps {
  readonly hours: Codes['hours'];
  readonly unit: Exclude<Unit, 'code'>;
  /** Of what it is, if that is not everything. */
  readonly of: string;
}

function ByTime({ hours, unit, of }: ByTimeProps) {
  const { bars, left } = barsOf(hours, unit);
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return null;
  const most = Math.max(...bars.map(({ counts }) => sumOf(counts)));
  const named = ({ at }: Bar) => timeOf(at, unit);
  const end = unit === 'day' ? last.at : new Date(last.at.getTime() + 3_600_000);
  const label = `Promo codes by ${unit}, ${named(first)} to ${timeOf(end, unit)} (${timeZone()})${of}`;
  const step = Math.ceil(bars.length / MAX_TICKS);
  return (
    <>
      <div class="chart">
        <div class="scale quiet" aria-hidden="true">
          <span>{numbered(most)}</span>
          <span>{most % 2 === 0 && numbered(most / 2)}</span>
          <span>0</span>
        </div>
        <svg
          role="img"
          aria-label={`${label}. Most: ${numbered(most)}`}
          viewBox={`0 0 ${bars.length} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          {bars.map((bar, index) => {
            const { applied, repeated } = bar.counts;
            const [low, high] = [applied, repeated].map((count) => (count / most) * HEIGHT);
            return (
              <g key={+bar.at}>
                <title>{`${named(bar)}: ${foundText(bar.counts)}`}</title>
                {stacked(low, high).map(({ kind, y, height }) => (
                  <rect key={kind} class={kind} x={index + 0.1} y={y} width={0.8} height={height} />
                ))}
              </g>
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
      </div>
      <figcaption>
        {label}. {sumOf(left) > 0 && `Earlier, not drawn: ${foundText(left)}.`}
      </figcaption>
      <AsTable
        first={`Start (${timeZone()})`}
        rows={bars
          .filter(({ counts }) => sumOf(counts) > 0)
          .map((bar) => [named(bar), bar.counts] as const)
          .reverse()}
      />
    </>
  );
}

/** Stacks what was sent again on what was applied. */
function stacked(applied = 0, repeated = 0) {
  return [
    { kind: 'applied', y: HEIGHT - applied, height: applied },
    { kind: 'repeated', y: HEIGHT - applied - repeated, height: repeated },
  ];
}

function ByCode({ codes, of }: { readonly codes: Codes; readonly of: string }) {
  const { rows, others } = mostSent(codes.codes);
  const most = Math.max(...rows.map(({ counts }) => sumOf(counts)));
  return (
    <>
      <div class="codes" role="img" aria-label={`Promo codes by code${of}`}>
        {rows.map(({ code, counts }) => (
          <>
            <span>{code}</span>
            <svg viewBox={`0 0 ${most} 1`} preserveAspectRatio="none" aria-hidden="true">
              <rect class="applied" width={counts.applied} height="1" />
              <rect class="repeated" x={counts.applied} width={counts.repeated} height="1" />
            </svg>
            <span class="small">{foundText(counts)}</span>
          </>
        ))}
      </div>
      <figcaption>
        {`The codes that were sent most often${of}. Each spelling counts for itself.`}{' '}
        {others > 0 && `${counted(others, 'other code')} ${others === 1 ? 'is' : 'are'} not drawn.`}
      </figcaption>
      <AsTable first="Code" rows={rows.map(({ code, counts }) => [code, counts] as const)} />
    </>
  );
}

interface AsTableProps {
  readonly first: string;
  readonly rows: readonly (readonly [name: string, counts: Counts])[];
}

function AsTable({ first, rows }: AsTableProps) {
  return (
    <details>
      <summary>As a table</summary>
      <Table
        columns={[first, 'Applied', 'Sent again']}
        rows={rows.map(([name, { applied, repeated }]): ComponentChildren[] => [
          name,
          applied,
          repeated,
        ])}
      />
    </details>
  );
}

function timeOf(at: Date, unit: Unit): string {
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const date = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  return at.toLocaleString(undefined, unit === 'day' ? date : { ...date, ...time });
}

function tickOf(at: Date, unit: Unit): string {
  return at.toLocaleString(
    undefined,
    unit === 'day' ? { month: 'short', day: 'numeric' } : { hour: '2-digit', hourCycle: 'h23' },
  );
}

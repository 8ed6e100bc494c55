import { counted } from 'customer-data-api/configuration';
import type { Codes } from '../answers.ts';
import { Table } from '../parts/table.tsx';
import { timeZone } from '../parts/time-text.tsx';
import { numbered } from '../texts.ts';
import { barsOf } from './counts.ts';

const HEIGHT = 100;

/** Draws how many codes were applied on each day, with the bounds of what was read. */
export function CodesChart({ codes: { days, read, rest } }: { readonly codes: Codes }) {
  const { bars, left } = barsOf(days);
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return null;
  const most = Math.max(...bars.map(({ applied }) => applied));
  const of = rest ? `, of the ${numbered(read)} entries that were read` : '';
  const label = (when = '') =>
    `Codes applied by day${when} (${timeZone()})${of}. Most: ${numbered(most)}.`;
  return (
    <figure class="chart">
      <svg
        role="img"
        aria-label={label(`, ${dateOf(first.day)} to ${dateOf(last.day)}`)}
        viewBox={`0 0 ${bars.length} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {bars.map(({ day, applied }, index) => {
          const height = (applied / most) * HEIGHT;
          return (
            <g key={day}>
              <title>{`${dateOf(day)}: ${numbered(applied)}`}</title>
              <rect x={index + 0.1} y={HEIGHT - height} width={0.8} height={height} />
            </g>
          );
        })}
      </svg>
      <div class="actions quiet" aria-hidden="true">
        <span>{dateOf(first.day)}</span>
        <span class="apart">{first === last || dateOf(last.day)}</span>
      </div>
      <figcaption>
        {label()} {left > 0 && `Earlier, not drawn: ${counted(left, 'code')}.`}
      </figcaption>
      <details>
        <summary>As a table</summary>
        <Table
          name="Codes by day"
          columns={[`Day (${timeZone()})`, 'Applied']}
          rows={bars
            .filter(({ applied }) => applied > 0)
            .map(({ day, applied }) => [dateOf(day), numbered(applied)])
            .reverse()}
        />
      </details>
    </figure>
  );
}

function dateOf(day: string): string {
  return new Date(`${day}T00:00`).toLocaleDateString(undefined, { dateStyle: 'medium' });
}

import type { ComponentChildren, TargetedMouseEvent } from 'preact';
import { Button } from './button.tsx';

/** The column by which a table is sorted. */
export interface Sort {
  readonly column: number;
  readonly isDescending: boolean;
}

interface TableProps {
  /** Names it for a screen reader. */
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns whose cells need their name beside them, in a narrow window. */
  readonly labels?: readonly string[];
  /** The cells of each row, the first of which is its header. An empty one is shown as a dash. */
  readonly rows: readonly (readonly ComponentChildren[])[];
  /** The index of the row that was looked for. */
  readonly marked?: number;
  readonly sort?: Sort;
  /** Sorts by a column, or turns its order, if a heading is pressed. */
  readonly onSort?: (sort: Sort) => void;
}

/** A table. In a narrow window, the cells of a row wrap. */
export function Table({ name, columns, labels = [], rows, marked, sort, onSort }: TableProps) {
  if (rows.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it in a narrow window.
    <section class="overflow-auto" aria-label={name} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((heading, column) => {
              const isSorted = column === sort?.column;
              const isDescending = isSorted && sort.isDescending;
              const order = isDescending ? 'descending' : 'ascending';
              return (
                <th key={heading} scope="col" aria-sort={isSorted ? order : undefined}>
                  {onSort ? (
                    <Button
                      class="text"
                      title={`Sort by: ${heading}`}
                      onClick={() => onSort({ column, isDescending: isSorted && !isDescending })}
                    >
                      {heading} {isSorted && (isDescending ? '↓' : '↑')}
                    </Button>
                  ) : (
                    heading || <span class="hidden">Actions</span>
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row} aria-current={row === marked ? 'true' : undefined} onClick={openRow}>
              {cells.map((cell, column) => {
                const isEmpty = !cell && cell !== 0;
                const shown = isEmpty ? '–' : typeof cell === 'string' ? <bdi>{cell}</bdi> : cell;
                const label = labels.find((one) => one === columns[column]);
                return column === 0 ? (
                  <th scope="row">{shown}</th>
                ) : (
                  <td key={columns[column]} class={isEmpty ? 'empty' : ''} data-label={label}>
                    {shown}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Follows the link of a row's header, unless a control was pressed or a text marked. */
function openRow({ target, currentTarget }: TargetedMouseEvent<HTMLElement>): void {
  const isElsewhere =
    (target as Element).closest('a, button, dialog') || `${getSelection()}` !== '';
  if (!isElsewhere) currentTarget.querySelector<HTMLElement>('th a')?.click();
}

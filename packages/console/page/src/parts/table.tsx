import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';

/** The column by which a table is sorted. */
export interface Sort {
  readonly column: number;
  readonly isDescending: boolean;
}

interface TableProps {
  readonly columns: readonly string[];
  /** The cells of each row, the first of which is its header. An empty one is shown as a dash. */
  readonly rows: readonly (readonly ComponentChildren[])[];
  /** The index of the row that was looked for. */
  readonly marked?: number;
  readonly sort?: Sort;
  /** Sorts by a column, or turns its order, if a heading is pressed. */
  readonly onSort?: (sort: Sort) => void;
}

/** A table. In a narrow window, the cells of a row are below each other, with their headings. */
export function Table({ columns, rows, marked, sort, onSort }: TableProps) {
  if (rows.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it in a narrow window.
    <section class="overflow-auto" aria-label={columns.filter(Boolean).join(', ')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((name, column) => {
              const isSorted = column === sort?.column;
              const isDescending = isSorted && sort.isDescending;
              const order = isDescending ? 'descending' : 'ascending';
              return (
                <th key={name} scope="col" aria-sort={isSorted ? order : undefined}>
                  {onSort && name !== '' ? (
                    <Button
                      title={`Sort by: ${name}`}
                      onClick={() => onSort({ column, isDescending: isSorted && !isDescending })}
                    >
                      {name} {isSorted && (isDescending ? '↓' : '↑')}
                    </Button>
                  ) : (
                    name || <span class="hidden">Actions</span>
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row} aria-current={row === marked ? 'true' : undefined}>
              {cells.map((cell, column) => {
                const isEmpty = !cell && cell !== 0;
                const shown = isEmpty ? '–' : cell;
                // A column without a heading has controls.
                const kind = isEmpty ? 'empty' : columns[column] === '' ? 'bare' : '';
                return column === 0 ? (
                  <th scope="row">{shown}</th>
                ) : (
                  <td key={column} class={kind} data-label={columns[column]}>
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

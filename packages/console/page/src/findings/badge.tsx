import { counted } from 'customer-data-api/configuration';
import { Icon } from '../parts/icons.tsx';

interface FindingCountProps {
  /** The errors and warnings. */
  readonly findings: number;
  /** Undefined if only the sum is known. */
  readonly errors: number | undefined;
}

/** Counts findings, in the colour of the worst. */
export function FindingCount({ findings, errors }: FindingCountProps) {
  if (findings === 0) return null;
  const severity = errors === undefined ? '' : errors > 0 ? 'error' : 'warning';
  return (
    <span class={`badge ${severity}`}>
      <Icon name={severity === 'error' ? 'error' : 'warning'} />
      {errors === undefined
        ? counted(findings, 'problem')
        : [
            errors && counted(errors, 'error'),
            findings > errors && counted(findings - errors, 'warning'),
          ]
            .filter(Boolean)
            .join(', ')}
    </span>
  );
}

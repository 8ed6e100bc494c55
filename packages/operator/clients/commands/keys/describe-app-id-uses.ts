import { type AppIdUses, HOURS } from '../../app-id-uses.ts';

/** Says in one sentence how often an App-Id was used in the last day, or why that is unknown. */
export function describeAppIdUses(found: readonly AppIdUses[] | string): string {
  if (typeof found === 'string') return `Uses of this App-Id are unknown: ${found}`;
  const [{ uses } = { uses: 0 }] = found;
  const period = `in the last ${HOURS} hours`;
  if (uses === 0) return `No use of this App-Id was logged ${period}.`;
  const times = uses === 1 ? 'once' : `${uses.toLocaleString('en')} times`;
  return `This App-Id was used at least ${times} ${period}.`;
}

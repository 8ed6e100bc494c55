const UNITS = [
  ['s', 1000, 90],
  ['min', 60_000, 90],
  ['h', 3_600_000, 36],
] as const;

/** Tells a duration in its largest useful unit: `45 s`, `12 min`, `3 h`, `5 days`. */
export function durationOf(milliseconds: number): string {
  for (const [unit, length, limit] of UNITS) {
    const count = Math.round(milliseconds / length);
    if (count < limit) return `${count} ${unit}`;
  }
  return `${Math.round(milliseconds / 86_400_000)} days`;
}

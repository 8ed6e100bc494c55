import * as v from 'valibot';

/** What `npm audit --json` prints if the registry answered. */
const Audit = v.object({
  vulnerabilities: v.record(
    v.string(),
    v.object({
      severity: v.string(),
      range: v.string(),
      via: v.array(v.union([v.string(), v.object({ title: v.string(), url: v.string() })])),
    }),
  ),
  metadata: v.object({ dependencies: v.object({ total: v.number() }) }),
});

/** What it prints if the registry did not. */
const Failure = v.object({ message: v.string() });

/** The result of a check for known vulnerabilities. */
export interface VulnerabilityReport {
  /** False if the registry could not be asked. */
  readonly isChecked: boolean;
  readonly vulnerabilities: number;
  readonly text: string;
}

/**
 * Reads what `npm audit --json` printed.
 *
 * @throws ValiError if it is neither a report nor an error.
 */
export function vulnerabilityReport(json: string): VulnerabilityReport {
  const output: unknown = JSON.parse(json);
  if (!v.is(Audit, output)) {
    const { message } = v.parse(Failure, output);
    return {
      isChecked: false,
      vulnerabilities: 0,
      text: `NOT CHECKED: the registry cannot be asked for vulnerabilities (${message}). Run this where it can, or rely on the update bot.`,
    };
  }
  const found = Object.entries(output.vulnerabilities);
  const lines = found.flatMap(([name, { severity, range, via }]) => [
    `${severity}: ${name} ${range}`,
    ...via.map((cause) =>
      typeof cause === 'string' ? `  through ${cause}` : `  ${cause.title}: ${cause.url}`,
    ),
  ]);
  const { total } = output.metadata.dependencies;
  return {
    isChecked: true,
    vulnerabilities: found.length,
    text: [...lines, `${total} packages, ${found.length} with known vulnerabilities.`].join('\n'),
  };
}

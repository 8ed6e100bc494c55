import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as LOG_MESSAGES from '../../core/runtime/log-messages.ts';
import { shortName } from '../support/alarm-name.ts';
import { PROJECT, readDocument } from '../support/documents/document.ts';
import { EMITTED_METRICS } from '../support/emitted-metrics.ts';
import { templateFor } from '../support/stack.ts';
import { metricsOf, widgetsOf } from '../support/widgets.ts';
import { EVERY_ALARM } from './variants.ts';

/* docs/signals.md has the metrics that the code counts and the stack uses. */

const template = templateFor(EVERY_ALARM);
const propertiesOf = (type: string) =>
  Object.values(template.findResources(type)).map(({ Properties }) => Properties);

/** The groups of a pattern in the code of the functions. */
async function inSources(pattern: RegExp): Promise<RegExpExecArray[]> {
  const found: RegExpExecArray[] = [];
  for (const room of ['functions', 'core']) {
    const folder = fileURLToPath(new URL(room, PROJECT));
    for (const file of (await readdir(folder, { recursive: true })).sort()) {
      if (!file.endsWith('.ts')) continue;
      const source = await readFile(join(folder, file), 'utf8');
      found.push(...source.matchAll(pattern));
    }
  }
  return found;
}

const code = (text: string) => `\`${text}\``;
const table = (...rows: readonly (readonly string[])[]) => {
  const [header = [], ...others] = rows.map((cells) => `| ${cells.join(' | ')} |`);
  return [header, `|${' --- |'.repeat(rows[0]?.length ?? 0)}`, ...others].join('\n');
};

interface Counted {
  readonly Namespace: string;
  readonly MetricName: string;
}

/** The alarms that read a metric of ours. Those of each function count once. */
function alarmsOn(metric: string): string[] {
  const reading = propertiesOf('AWS::CloudWatch::Alarm').filter(({ Metrics, ...alarm }) => {
    const measured: Counted[] = Metrics?.flatMap(
      ({ MetricStat }: { MetricStat?: { Metric: Counted } }) =>
        MetricStat ? [MetricStat.Metric] : [],
    ) ?? [alarm];
    return measured.some(
      ({ Namespace, MetricName }) => Namespace === 'CustomerDataApi' && MetricName === metric,
    );
  });
  const functions = new RegExp(
    `^(?:${Object.values(template.findResources('AWS::Lambda::Function'))
      .map(({ Properties }) => Properties.LoggingConfig.LogGroup)
      .map((group) => String(Object(group).Ref).replace(/Logs[0-9A-F]{8}$/, ''))
      .join('|')})`,
  );
  const names = reading.map(({ AlarmName }) =>
    shortName(AlarmName).replace(functions, (name) => (name ? '…' : name)),
  );
  return [...new Set(names)].sort();
}

const widgets = widgetsOf(template.findResources('AWS::CloudWatch::Dashboard'));
const titleOf = (title = '') => title.replace(/,.*/, '');
const graphsOf = (metric: string) =>
  widgets
    .filter((widget) => metricsOf(widget).some(({ name }) => name === metric))
    .map(({ properties: { title } }) => titleOf(title));

/** The saved queries that print a log message, besides those that print all. */
function queriesOf(message: string): string[] {
  return propertiesOf('AWS::Logs::QueryDefinition')
    .filter(({ QueryString }) => {
      const texts = [...String(QueryString).matchAll(/"([A-Z][^"]+ [^"]+)"|\/\^([^/]+)\//g)];
      return texts.some(
        ([, text, start]) => text === message || (start && message.startsWith(start)),
      );
    })
    .map(({ Name }) => String(Name).replace(/.*\//, ''));
}

/** The errors that are logged. A message is a text, or the name of one that programs look for. */
async function loggedErrors(): Promise<string[]> {
  const found = await inSources(/logger\.error\(\s*(?:'([^']+)'|([A-Z_]+))/g);
  return found.map(([, text, name = '']) => text ?? String(Object(LOG_MESSAGES)[name]));
}

test('signals.md lists the metrics, with their alarms and graphs', async () => {
  const source = await readFile(new URL('core/runtime/metrics.ts', PROJECT), 'utf8');
  const described = [...source.matchAll(/\/\*\* (.+)\. \*\/\s+\| '(\w+)'/g)];
  const counted = new Set(Object.values(EMITTED_METRICS).flat());
  expect(described.map(([, , name]) => name).sort()).toEqual([...counted].sort());
  const metrics = described.map(([, meaning = '', name = '']) => [
    code(name),
    meaning,
    alarmsOn(name).map(code).join(', '),
    graphsOf(name).join(', '),
  ]);
  const document = [
    '# Signals',
    'Audience: operators on call. What the functions count and log. The [runbook](runbook.md) says what\nto do. `npx vitest run test/infrastructure/signals.test.ts -u` writes this file.',
    '## Metrics',
    'Metrics are in the namespace `CustomerDataApi`, with the dimensions `service` (such as `get-config`)\nand `stage`. No metric is about a single client or user.',
    table(['metric', 'counts', 'alarms', 'graphs'], ...metrics),
    'The dashboard with the name of the stack has the graphs.',
    '## Log messages',
    'The functions write JSON lines to `/aws/lambda/<stack>/<function>`, kept for `logRetentionDays`\n([what they contain](security.md#what-is-logged)). Each execution environment writes 50 lines of a\nmessage at once, then one in five seconds, and [the next line\ncounts](decisions/starts.md#log-and-metric-lines-are-limited-per-environment) the `suppressed`\nones. The saved query `messages` prints all warnings and errors.',
  ].join('\n\n');
  await expect(`${document}\n`).toMatchFileSnapshot(
    fileURLToPath(new URL('docs/signals.md', PROJECT)),
  );
});

test('the runbook says what to do about each error in the log', async () => {
  const { text } = await readDocument('docs/runbook.md');
  const logged = await loggedErrors();
  expect(logged.length).toBeGreaterThan(10);
  const unexplained = logged.filter(
    (message) =>
      !queriesOf(message).some((query) => text.includes(`\`query ${query}\``)) &&
      !text.includes(message),
  );
  expect(unexplained).toEqual([]);
});

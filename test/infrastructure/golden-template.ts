import { Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { CustomerDataApiStack } from '../../lib/customer-data-api-stack.ts';

/*
 * The one form in which templates are compared: without what changes with each build, and without
 * texts for people.
 */

/** Descriptions, and what only the CDK reads. */
const LEFT_OUT = ['AlarmDescription', 'Description', 'Metadata'];
/** The hash in a logical id, with that of the code of a version or of a deployment. */
const HASH_OF_ID = /(?<=[A-Za-z])(?:[0-9A-F]{8})+(?:[0-9a-f]{32})?(?![0-9A-Fa-z])/g;
const HASH_OF_ASSET = /[0-9a-f]{64}/g;
/** The length of a line, unless a text is longer. */
const LINE = 120;

/** The stack itself, its resources and its outputs, by logical ids without hashes. */
export type GoldenTemplate = Readonly<Record<string, unknown>>;

/** Outputs that change with each build. */
const OF_BUILD = ['Release'];

/** Returns the golden form of a stack. Its stage is called `STAGE`. */
export function goldenTemplate(stack: CustomerDataApiStack): GoldenTemplate {
  const { Resources, Outputs } = Template.fromStack(stack).toJSON();
  const parts = Object.entries({ ...Resources, ...Outputs })
    .filter(([id]) => !OF_BUILD.includes(id))
    .sort();
  const metadata = stack.node.findAll().flatMap(({ node }) => node.metadata);
  const dataOf = (key: string) =>
    metadata.flatMap(({ type, data }) => (type === key ? [data] : []));
  const Stack = {
    terminationProtection: stack.terminationProtection,
    tags: stack.tags.tagValues(),
    warnings: dataOf('aws:cdk:warning').map((warning) => /\[ack: (.+)\]$/.exec(warning)?.[1]),
    acknowledged: [
      ...new Set(dataOf(Validations.ACKNOWLEDGED_RULES_METADATA_KEY).flatMap(Object.keys)),
    ].sort(),
  };
  const [, stage = ''] = stack.stackName.split(/-(.*)/);
  const text = JSON.stringify({ Stack, ...Object.fromEntries(parts) })
    .replaceAll(HASH_OF_ASSET, 'HASH')
    .replaceAll(HASH_OF_ID, '')
    .replaceAll(RegExp(`(?<=\\b|CustomerDataApi|DeploymentStage)${stage}(?![a-z])`, 'g'), 'STAGE');
  const golden = normalised(JSON.parse(text));
  if (Object.keys(golden).length <= parts.length) throw new Error('Two parts have the same id.');
  return golden;
}

// biome-ignore lint/suspicious/noExplicitAny: any part of a template
function normalised(value: any): any {
  if (typeof value === 'string') return parsed(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const isMap = value.every((pair) => Object.keys(Object(pair)).join() === 'Name,Value');
    if (!isMap || value.length === 0) return value.map(normalised);
    return Object.fromEntries(value.map(({ Name, Value }) => [Name, normalised(Value)]));
  }
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join, 'Fn::Sub': text } = value;
  if (Ref) return `\${${Ref}}`;
  if (attribute) return `\${${attribute.join('.')}}`;
  if (join) return parsed(join[1].map(asText).join(join[0]));
  if (text) return text;
  const entries = Object.entries(value).filter(([key]) => !LEFT_OUT.includes(key));
  return Object.fromEntries(entries.map(([key, part]) => [key, normalised(part)]));
}

/** A part of a text: some references have to stay what they are. */
function asText(part: unknown): string {
  const text = typeof part === 'string' ? part : normalised(part);
  return typeof text === 'string' ? text : JSON.stringify(text);
}

/** Parses a text in JSON, such as the body of the dashboard. Any other text stays as it is. */
function parsed(text: string): unknown {
  try {
    return /^[[{]/.test(text) ? normalised(JSON.parse(text)) : text;
  } catch {
    return text;
  }
}

/** The beginning of an ARN of this account. */
const ARN = /arn:\$\{AWS::Partition\}:([\w-]+):(?:\$\{AWS::Region\})?:(?:\$\{AWS::AccountId\})?:/g;

/** The settings of each part of a template, in short: `Timeout=20`. */
type Settings = Readonly<Record<string, readonly string[]>>;

/** Properties that follow from the rest, or that another test states. */
const SAID =
  /Tags\.|^(?:RestApiId|ResourceId|Code\.|Handler|AlarmName$|Roles|PolicyName|UserPoolAddOns|VerificationMessageTemplate|Sms|EmailVerif|UpdateReplacePolicy$|TreatMissingData=notBreaching$)|{}$|\.(?:Id|Version|VisibilityConfig\.\w+|MethodResponses.*)$|^DependsOn=\[Api[A-Z]/;
/** Names that say nothing without the one before. */
const WITH_PARENT = /\w+\.(?:Arn|Name|Type|Status|Level|Count|None|Allow|IP|Source|Target)$/;

function settingsOf(golden: GoldenTemplate): Settings {
  return Object.fromEntries(
    Object.entries(golden).map(([id, part]) => [
      id,
      shortened(part).map((one) => one.replaceAll(`\${${id}`, '${~')),
    ]),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: any part of a template
function shortened(value: any, path = ''): string[] {
  const name = WITH_PARENT.exec(path)?.[0] ?? path.replace(/.*\.(?!header\.)/, '');
  const [, form] = Object.entries(FORMS).find(([end]) => `.${path}`.endsWith(`.${end}`)) ?? [];
  if (form) return [form(value)].flat();
  const parts = Object.entries(Object(value));
  const isFlat = Array.isArray(value) && value.every((part) => typeof part !== 'object');
  if (typeof value === 'string' || parts.length === 0 || isFlat) {
    const text = `${name}=${flat(value)}`;
    return SAID.test(path) || SAID.test(text) ? [] : [text];
  }
  return parts.flatMap(([key, part]) =>
    shortened(part, /^Properties$|^\d+$/.test(key) ? path : path ? `${path}.${key}` : key),
  );
}

/** Parts with a form of their own, by the end of their paths. */
// biome-ignore lint/suspicious/noExplicitAny: each has its own properties
const FORMS: Readonly<Record<string, (value: any) => string | readonly string[]>> = {
  // docs/runbook.md lists its graphs.
  DashboardBody: () => [],
  // alarm-states.test.ts evaluates the expressions.
  Metrics: (metrics) =>
    // biome-ignore lint/suspicious/noExplicitAny: a metric or an expression
    metrics.flatMap(({ Id, MetricStat }: any) => {
      if (!MetricStat) return [];
      const { Metric, Period, Stat } = MetricStat;
      const of = Object.entries(Metric.Dimensions).filter(([name]) => name !== 'stage');
      return `${Id}: ${Stat} ${Metric.MetricName} ${Period}s ${of.map(([, one]) => one).join(' ')}`;
    }),
  'PolicyDocument.Statement': (statements) =>
    // biome-ignore lint/suspicious/noExplicitAny: a statement of a policy
    statements.map(({ Effect, Action, Resource, Principal, Condition }: any) => {
      const to = Principal ? ` to ${flat(Principal)}` : '';
      const on = Resource ? ` on ${flat([Resource].flat().join(', '))}` : '';
      return `${Effect} ${[Action].flat().join(', ')}${on}${to}${Condition ? ` if ${flat(Condition)}` : ''}`;
    }),
  'AccessLogSetting.Format': (format) => Object.keys(format).join(', '),
  acknowledged: (rules) => rules.map((rule: string) => rule.replace('Annotation::', '')),
  RequestTemplates: (templates) => Object.keys(templates).join(', '),
  ResponseTemplates: (templates) => errorOf(templates['application/json']),
  'RateLimited.Content': (body) => errorOf(body),
};

// biome-ignore lint/suspicious/noExplicitAny: the body of a response
function errorOf(body: any): string {
  return body?.data ? `${body.data.code}${body.data.retryable ? ', retryable' : ''}` : flat(body);
}

function flat(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text
    .replaceAll(ARN, '$1:')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/"/g, '')
    .replaceAll(/,(?! )/g, ', ');
}

/**
 * Prints a template: by type its parts, and in short the settings of each. Settings that all parts
 * of a type have are under the type.
 */
export function inShort(golden: GoldenTemplate): string {
  const settings = settingsOf(golden);
  const typeOf = (id: string) => Object(golden[id]).Type ?? 'outputs and the stack';
  const byType = Map.groupBy(Object.keys(settings), typeOf);
  const sorted = [...byType].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted
    .map(([type, ids]) => {
      const all = ids.map((id) => settings[id]?.filter((one) => one !== `Type=${type}`) ?? []);
      const common = (all[0] ?? []).filter(
        (one) => ids.length > 1 && all.every((part) => part.includes(one)),
      );
      const parts = ids.map((id, index) => {
        const own = all[index]?.filter((one) => !common.includes(one)) ?? [];
        return wrapped([`  ${id}`, ...own]);
      });
      return `${[wrapped([type, ...common]), ...parts].join('\n')}\n`;
    })
    .join('\n');
}

/** Puts texts into lines. */
function wrapped([first = '', ...texts]: readonly string[]): string {
  const lines = [first];
  for (const [index, text] of texts.entries()) {
    const line = `${lines.at(-1)}${index === 0 ? ':' : ';'} ${text}`;
    if (line.length <= LINE) lines.splice(-1, 1, line);
    else lines.push(`    ${text}`);
  }
  return lines.join('\n');
}

/**
 * Prints how a template differs from another one: what one of them lacks, and each setting with
 * another value. Parts with the same difference share it.
 */
export function differences(from: GoldenTemplate, to: GoldenTemplate): string {
  const [before, after] = [settingsOf(from), settingsOf(to)];
  const ids = Object.keys({ ...before, ...after });
  const changed = Map.groupBy(ids, (id) => changesOf(before[id], after[id]).join('\n'));
  changed.delete('');
  return [...changed]
    .map(([changes, same]) => `${same.join(' ').replace(/(.{80,}?) /g, '$1\n')}\n${changes}\n`)
    .join('\n');
}

function changesOf(from: readonly string[] = [], to?: readonly string[]): string[] {
  if (to === undefined) return ['- all of it'];
  const lines = (sign: string, texts: readonly string[]) =>
    texts.length > 0 ? [wrapped([`  ${sign}`, ...texts]).replace(/^( +[-+]):/, '$1')] : [];
  return [...lines('-', without(from, to)), ...lines('+', without(to, from))];
}

/** The texts without those of another list, of which each stands for one. */
function without(texts: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return texts.filter((text) => {
    const index = left.indexOf(text);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

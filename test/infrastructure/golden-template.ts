import { Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { diffArrays } from 'diff';
import { Document, isCollection, visit } from 'yaml';
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
/** What is no longer than this in JSON is in one line. */
const LINE = 120;

/** The stack itself, its resources and its outputs, by logical ids without hashes. */
export type GoldenTemplate = Readonly<Record<string, unknown>>;

/** Returns the golden form of a stack. Its stage is called `STAGE`. */
export function goldenTemplate(stack: CustomerDataApiStack): GoldenTemplate {
  const { Resources, Outputs } = Template.fromStack(stack).toJSON();
  const parts = Object.entries({ ...Resources, ...Outputs }).sort();
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

/** What a text in JSON contains, such as the body of the dashboard. Another one is itself. */
function parsed(text: string): unknown {
  try {
    return /^[[{]/.test(text) ? normalised(JSON.parse(text)) : text;
  } catch {
    return text;
  }
}

/** Prints a template as YAML. */
export function asYaml(golden: GoldenTemplate): string {
  const document = new Document(golden, { aliasDuplicateObjects: false });
  visit(document, (key, node) => {
    if (isCollection(node) && key) node.flow = JSON.stringify(node.toJS(document)).length <= LINE;
  });
  return document.toString({ lineWidth: 0 });
}

/**
 * Prints how a template differs from another one: what one of them lacks, and each property with
 * another value. Parts with the same difference share it.
 */
export function differences(from: GoldenTemplate, to: GoldenTemplate): string {
  const ids = Object.keys({ ...from, ...to });
  const changed = Map.groupBy(ids, (id) => changesOf(from[id], to[id]).join('\n'));
  changed.delete('');
  return [...changed]
    .map(([changes, same]) => `${same.join(' ').replace(/(.{80,}?) /g, '$1\n')}\n${changes}\n`)
    .join('\n');
}

function changesOf(from: unknown, to: unknown): string[] {
  if (to === undefined) return ['- all of it'];
  return diffArrays(leaves(from), leaves(to)).flatMap(({ added, removed, value }) =>
    added || removed ? value.map((leaf) => `${added ? '+' : '-'} ${leaf}`) : [],
  );
}

/** The values in a part of a template, with their paths. */
function leaves(value: unknown, path = ''): string[] {
  if (value === undefined) return [];
  if (Object.keys(Object(value)).length === 0 || typeof value === 'string') {
    return [`${path.replace(/^\.(?:Properties\.)?/, '')}: ${JSON.stringify(value)}`];
  }
  return Object.entries(Object(value)).flatMap(([key, part]) =>
    leaves(part, Array.isArray(value) ? `${path}[]` : `${path}.${key}`),
  );
}

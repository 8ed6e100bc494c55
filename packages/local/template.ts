import type { AttributeDefinition, KeySchemaElement } from '@aws-sdk/client-dynamodb';
import { REGION } from 'customer-data-api-deployment/local';

/** The parts of a CloudFormation template that the local server reads. */
interface TemplateBody {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
}

/** A resource of a template. */
export interface TemplateResource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: each resource type has its own properties, and each reader knows its own
  readonly Properties: any;
}

/** The contents of stream records besides the key. */
export type StreamViewType = 'NEW_IMAGE' | 'NEW_AND_OLD_IMAGES';

/** A table of the template. */
export interface TableDefinition {
  readonly tableName: string;
  readonly streamArn: string;
  /** Undefined if the table has no stream. */
  readonly streamViewType: StreamViewType | undefined;
  /** The attribute with the time at which an item expires, if the table has one. */
  readonly timeToLiveAttribute: string | undefined;
  readonly keySchema: KeySchemaElement[];
  readonly attributeDefinitions: AttributeDefinition[];
}

/** A queue of the template. */
export interface QueueDefinition {
  readonly queueName: string;
  /** The attributes by SQS's names. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** A queue and the function that consumes it. */
export interface EventSource {
  readonly functionLogicalId: string;
  readonly queueUrl: string;
  readonly queueArn: string;
  readonly batchSize: number;
  /** The maximum number of batches in flight. */
  readonly concurrency: number;
}

/** The stream of a table and the function that consumes it. */
export interface StreamEventSource {
  readonly functionLogicalId: string;
  readonly streamArn: string;
  readonly batchSize: number;
  /** Event patterns in JSON. A record passes if it matches one of them, or if there is none. */
  readonly filters: readonly string[];
}

/** A rule that calls a function again and again. */
export interface Schedule {
  readonly functionLogicalId: string;
  readonly periodMs: number;
}

/** A function of the template. */
export interface FunctionDefinition {
  readonly logicalId: string;
  /** The object key of its code in the asset bucket. */
  readonly codeKey: string;
  /** `<file>.<export>` */
  readonly handler: string;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  readonly environment: Readonly<Record<string, string>>;
}

// CloudFormation and SQS share these names.
const QUEUE_ATTRIBUTES = ['MessageRetentionPeriod', 'VisibilityTimeout'];

/** The account of the local server. */
export const ACCOUNT = '000000000000';

/** A stream is named after the time when it was enabled. */
const STREAM_LABEL = '2026-01-01T00:00:00.000';

const PSEUDO_PARAMETERS: Readonly<Record<string, string>> = {
  'AWS::AccountId': ACCOUNT,
  'AWS::Partition': 'aws',
  'AWS::Region': REGION,
  'AWS::URLSuffix': 'amazonaws.com',
};

/** Reads from a template what the local server runs. */
export class Template {
  readonly #body: TemplateBody;
  readonly #stackName: string;

  constructor(body: TemplateBody, stackName: string) {
    this.#body = body;
    this.#stackName = stackName;
  }

  tables(): TableDefinition[] {
    return this.resources('AWS::DynamoDB::GlobalTable').map(([logicalId, { Properties }]) => ({
      tableName: this.#name(logicalId),
      streamArn: this.resolve({ 'Fn::GetAtt': [logicalId, 'StreamArn'] }),
      streamViewType: Properties.StreamSpecification?.StreamViewType,
      timeToLiveAttribute: Properties.TimeToLiveSpecification?.AttributeName,
      keySchema: Properties.KeySchema,
      attributeDefinitions: Properties.AttributeDefinitions,
    }));
  }

  functions(): FunctionDefinition[] {
    return this.resources('AWS::Lambda::Function').map(([logicalId, { Properties }]) => ({
      logicalId,
      codeKey: this.resolve(Properties.Code.S3Key),
      handler: Properties.Handler,
      timeoutSeconds: Properties.Timeout,
      memoryMegabytes: Properties.MemorySize,
      environment: Object.fromEntries(
        Object.entries(Properties.Environment.Variables).map(([name, value]) => [
          name,
          this.resolve(value),
        ]),
      ),
    }));
  }

  /** Returns the queues. A dead-letter queue precedes the queue that refers to it. */
  queues(): QueueDefinition[] {
    return this.resources('AWS::SQS::Queue')
      .sort(
        ([, one], [, other]) =>
          Number('RedrivePolicy' in one.Properties) - Number('RedrivePolicy' in other.Properties),
      )
      .map(([logicalId, { Properties }]) => {
        const { RedrivePolicy } = Properties;
        return {
          queueName: this.#name(logicalId),
          attributes: {
            ...Object.fromEntries(
              QUEUE_ATTRIBUTES.filter((name) => name in Properties).map((name) => [
                name,
                String(Properties[name]),
              ]),
            ),
            ...(RedrivePolicy && {
              RedrivePolicy: JSON.stringify({
                ...RedrivePolicy,
                deadLetterTargetArn: this.resolve(RedrivePolicy.deadLetterTargetArn),
              }),
            }),
          },
        };
      });
  }

  eventSources(): EventSource[] {
    return this.#eventSourcesOf('AWS::SQS::Queue').map((Properties) => ({
      ...this.#consumer(Properties),
      queueUrl: this.#physicalId(attributeOwner(Properties.EventSourceArn)),
      queueArn: this.resolve(Properties.EventSourceArn),
      concurrency: Properties.ScalingConfig.MaximumConcurrency,
    }));
  }

  /** Returns the functions that rules call on a schedule. */
  schedules(): Schedule[] {
    return this.resources('AWS::Events::Rule').map(([, { Properties }]) => {
      const { ScheduleExpression, Targets } = Properties;
      const [, minutes] = /^rate\((\d+) minutes\)$/.exec(ScheduleExpression) ?? [];
      if (!minutes) throw new Error(`The local server does not know ${ScheduleExpression}.`);
      return {
        functionLogicalId: this.functionIn(Targets[0].Arn),
        periodMs: Number(minutes) * 60_000,
      };
    });
  }

  streamEventSources(): StreamEventSource[] {
    return this.#eventSourcesOf('AWS::DynamoDB::GlobalTable').map((Properties) => ({
      ...this.#consumer(Properties),
      streamArn: this.resolve(Properties.EventSourceArn),
      filters: patternsOf(Properties.FilterCriteria),
    }));
  }

  /** Returns the outputs of the stack, as `cdk deploy --outputs-file` would write them. */
  outputs(): Record<string, string> {
    return Object.fromEntries(
      Object.entries(this.#body.Outputs).map(([name, { Value }]) => [name, this.resolve(Value)]),
    );
  }

  /** Resolves a value of the template to its string on the local server. */
  resolve(value: unknown): string {
    if (typeof value === 'string') return value;
    const {
      Ref,
      'Fn::Join': join,
      'Fn::GetAtt': [owner, attribute] = [],
    } = value as {
      Ref?: string;
      'Fn::Join'?: [separator: string, parts: unknown[]];
      'Fn::GetAtt'?: [logicalId: string, attribute: string];
    };
    if (Ref !== undefined) return PSEUDO_PARAMETERS[Ref] ?? this.#physicalId(Ref);
    if (join) return join[1].map((part) => this.resolve(part)).join(join[0]);
    const type = this.#body.Resources[owner ?? '']?.Type;
    if (owner && attribute === 'Arn' && type === 'AWS::SQS::Queue') {
      return `arn:aws:sqs:${REGION}:${ACCOUNT}:${this.#name(owner)}`;
    }
    if (owner && attribute === 'StreamArn' && type === 'AWS::DynamoDB::GlobalTable') {
      return `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${this.#name(owner)}/stream/${STREAM_LABEL}`;
    }
    throw new Error(`The local server cannot resolve ${JSON.stringify(value)}.`);
  }

  /** Returns the properties of the event sources that are resources of a type. */
  #eventSourcesOf(type: string): TemplateResource['Properties'][] {
    return this.resources('AWS::Lambda::EventSourceMapping')
      .map(([, { Properties }]) => Properties)
      .filter(
        ({ EventSourceArn }) => this.#body.Resources[attributeOwner(EventSourceArn)]?.Type === type,
      );
  }

  #consumer({ FunctionName, BatchSize }: TemplateResource['Properties']) {
    return { functionLogicalId: this.functionIn(FunctionName), batchSize: BatchSize as number };
  }

  /** Returns the resources of a type. */
  resources(type: string): [logicalId: string, TemplateResource][] {
    return Object.entries(this.#body.Resources).filter(([, resource]) => resource.Type === type);
  }

  /** Names a resource that the template does not name. */
  #name(logicalId: string): string {
    return `${this.#stackName}-${logicalId}`;
  }

  /** Returns the value of `Ref`: the name for most resources, but some services differ. */
  #physicalId(logicalId: string): string {
    switch (this.#body.Resources[logicalId]?.Type) {
      case 'AWS::Cognito::UserPool':
        return `${this.resolve({ Ref: 'AWS::Region' })}_${logicalId}`;
      case 'AWS::Cognito::UserPoolClient':
        return logicalId.toLowerCase();
      case 'AWS::SQS::Queue':
        return `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/${this.#name(logicalId)}`;
      default:
        return this.#name(logicalId);
    }
  }

  /** Finds the function that a value, such as an integration URI, names directly or by alias. */
  functionIn(value: unknown): string {
    const text = JSON.stringify(value);
    for (const [, logicalId = ''] of text.matchAll(/"(?:Ref":|Fn::GetAtt":\[)"(\w+)"/g)) {
      const { Type, Properties } = this.#body.Resources[logicalId] ?? {};
      if (Type === 'AWS::Lambda::Alias') return this.functionIn(Properties.FunctionName);
      if (Type === 'AWS::Lambda::Function') return logicalId;
    }
    throw new Error(`The local server cannot resolve ${text}.`);
  }
}

function patternsOf(criteria?: { readonly Filters: readonly { Pattern: string }[] }): string[] {
  return (criteria?.Filters ?? []).map(({ Pattern }) => Pattern);
}

/** Returns the logical id in a value's `Fn::GetAtt`, such as the queue of an event source. */
function attributeOwner(value: unknown): string {
  const owner = /"Fn::GetAtt":\["(\w+)"/.exec(JSON.stringify(value))?.[1];
  if (!owner) throw new Error(`The local server cannot resolve ${JSON.stringify(value)}.`);
  return owner;
}

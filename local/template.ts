import type { AttributeDefinition, KeySchemaElement } from '@aws-sdk/client-dynamodb';

/** A CloudFormation template, as far as the local system reads it. */
export interface TemplateBody {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
}

interface TemplateResource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the properties of a hundred resource types, read where they are needed
  readonly Properties: any;
}

/** A table as the template defines it. */
export interface TableDefinition {
  readonly tableName: string;
  readonly keySchema: KeySchemaElement[];
  readonly attributeDefinitions: AttributeDefinition[];
}

/** A queue as the template defines it. */
export interface QueueDefinition {
  readonly queueName: string;
  /** As SQS calls them. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** A queue whose messages a function is called with. */
export interface EventSource {
  readonly functionLogicalId: string;
  readonly queueUrl: string;
  readonly queueArn: string;
  readonly batchSize: number;
  /** How many batches are in the function's hands at a time. */
  readonly concurrency: number;
  /** Whether the function says which messages of a batch have failed. */
  readonly reportsFailures: boolean;
}

/** A function as the template defines it. */
export interface FunctionDefinition {
  readonly logicalId: string;
  /** The object key of its code in the bucket of assets. */
  readonly codeKey: string;
  /** `<file>.<export>` */
  readonly handler: string;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  readonly environment: Readonly<Record<string, string>>;
}

/** A route of the REST API and the function behind it. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly functionLogicalId: string;
}

/** What the gateway answers by itself in one situation. */
export interface GatewayResponse {
  readonly statusCode: number;
  readonly body: string;
}

// CloudFormation calls them as SQS does.
const QUEUE_ATTRIBUTES = ['MessageRetentionPeriod', 'VisibilityTimeout'];

// https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
const DEFAULT_CONCURRENCY = 5;

/** The region that everything here believes to be in. */
export const REGION = 'us-east-1';

const ACCOUNT = '000000000000';

const PSEUDO_PARAMETERS: Readonly<Record<string, string>> = {
  'AWS::AccountId': ACCOUNT,
  'AWS::Partition': 'aws',
  'AWS::Region': REGION,
  'AWS::URLSuffix': 'amazonaws.com',
};

/** Reads out of a template what the local system runs. */
export class Template {
  readonly #body: TemplateBody;
  readonly #stackName: string;

  constructor(body: TemplateBody, stackName: string) {
    this.#body = body;
    this.#stackName = stackName;
  }

  tables(): TableDefinition[] {
    return this.#resources('AWS::DynamoDB::GlobalTable').map(([logicalId, { Properties }]) => ({
      tableName: this.#name(logicalId),
      keySchema: Properties.KeySchema,
      attributeDefinitions: Properties.AttributeDefinitions,
    }));
  }

  functions(): FunctionDefinition[] {
    return this.#resources('AWS::Lambda::Function').map(([logicalId, { Properties }]) => ({
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

  /** The queues, a dead-letter queue before the one that needs it. */
  queues(): QueueDefinition[] {
    return this.#resources('AWS::SQS::Queue')
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
    return this.#resources('AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => ({
      functionLogicalId: Properties.FunctionName.Ref,
      queueUrl: this.#physicalId(attributeOwner(Properties.EventSourceArn)),
      queueArn: this.resolve(Properties.EventSourceArn),
      batchSize: Properties.BatchSize,
      concurrency: Properties.ScalingConfig?.MaximumConcurrency ?? DEFAULT_CONCURRENCY,
      reportsFailures:
        Properties.FunctionResponseTypes?.includes('ReportBatchItemFailures') ?? false,
    }));
  }

  routes(): Route[] {
    return this.#resources('AWS::ApiGateway::Method').map(([, { Properties }]) => ({
      method: Properties.HttpMethod,
      path: this.#path(Properties.ResourceId),
      functionLogicalId: attributeOwner(Properties.Integration.Uri),
    }));
  }

  /** The gateway's own answers, by response type. */
  gatewayResponses(): ReadonlyMap<string, GatewayResponse> {
    return new Map(
      this.#resources('AWS::ApiGateway::GatewayResponse').map(([, { Properties }]) => [
        Properties.ResponseType,
        {
          statusCode: Number(Properties.StatusCode),
          body: Properties.ResponseTemplates['application/json'],
        },
      ]),
    );
  }

  /** The outputs of the stack, as `cdk deploy --outputs-file` would write them. */
  outputs(): Record<string, string> {
    return Object.fromEntries(
      Object.entries(this.#body.Outputs).map(([name, { Value }]) => [name, this.resolve(Value)]),
    );
  }

  /** The text that a value of the template has once it is deployed here. */
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
    if (owner && attribute === 'Arn' && this.#body.Resources[owner]?.Type === 'AWS::SQS::Queue') {
      return `arn:aws:sqs:${REGION}:${ACCOUNT}:${this.#name(owner)}`;
    }
    throw new Error(`The local system cannot resolve ${JSON.stringify(value)}.`);
  }

  #resources(type: string): [logicalId: string, TemplateResource][] {
    return Object.entries(this.#body.Resources).filter(([, resource]) => resource.Type === type);
  }

  /** The name that a resource gets when the template does not choose one. */
  #name(logicalId: string): string {
    return `${this.#stackName}-${logicalId}`;
  }

  /** What `Ref` stands for: for most resources the name, but each service has its own form. */
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

  /** The path of an API resource: the parts of its parents and its own. */
  #path(resourceId: { Ref?: string }): string {
    const properties = this.#body.Resources[resourceId.Ref ?? '']?.Properties;
    return properties ? `${this.#path(properties.ParentId)}/${properties.PathPart}` : '';
  }
}

/** The logical id of the resource that a value takes an attribute of, as in a method's integration URI. */
function attributeOwner(value: unknown): string {
  const owner = /"Fn::GetAtt":\["(\w+)"/.exec(JSON.stringify(value))?.[1];
  if (!owner) throw new Error(`The local system cannot resolve ${JSON.stringify(value)}.`);
  return owner;
}

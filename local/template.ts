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

/** The region that everything here believes to be in. */
export const REGION = 'us-east-1';

const PSEUDO_PARAMETERS: Readonly<Record<string, string>> = {
  'AWS::AccountId': '000000000000',
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
      tableName: this.#physicalId(logicalId),
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
    const { Ref, 'Fn::Join': join } = value as {
      Ref?: string;
      'Fn::Join'?: [separator: string, parts: unknown[]];
    };
    if (Ref !== undefined) return PSEUDO_PARAMETERS[Ref] ?? this.#physicalId(Ref);
    if (join) return join[1].map((part) => this.resolve(part)).join(join[0]);
    throw new Error(`The local system cannot resolve ${JSON.stringify(value)}.`);
  }

  #resources(type: string): [logicalId: string, TemplateResource][] {
    return Object.entries(this.#body.Resources).filter(([, resource]) => resource.Type === type);
  }

  /** The name that a resource gets when the template does not choose one; each service has its own form of names. */
  #physicalId(logicalId: string): string {
    switch (this.#body.Resources[logicalId]?.Type) {
      case 'AWS::Cognito::UserPool':
        return `${this.resolve({ Ref: 'AWS::Region' })}_${logicalId}`;
      case 'AWS::Cognito::UserPoolClient':
        return logicalId.toLowerCase();
      default:
        return `${this.#stackName}-${logicalId}`;
    }
  }

  /** The path of an API resource: the parts of its parents and its own. */
  #path(resourceId: { Ref?: string }): string {
    const properties = this.#body.Resources[resourceId.Ref ?? '']?.Properties;
    return properties ? `${this.#path(properties.ParentId)}/${properties.PathPart}` : '';
  }
}

/** The logical id of the resource whose attribute a value is made of, as in a method's integration URI. */
function attributeOwner(value: unknown): string {
  const owner = /"Fn::GetAtt":\["(\w+)"/.exec(JSON.stringify(value))?.[1];
  if (!owner)
    throw new Error(`The local system cannot run the integration ${JSON.stringify(value)}.`);
  return owner;
}

import { readFileSync } from 'node:fs';
import { Stack, type StackProps } from 'aws-cdk-lib';
import { CfnRegistry, CfnSchema } from 'aws-cdk-lib/aws-eventschemas';
import type { Construct } from 'constructs';

/** The document of the release that you consume. */
const DOCUMENT = new URL('../../asyncapi.json', import.meta.url);

/** The schemas of the events in a registry of EventBridge, which generates code from them. */
export class SchemaRegistry extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const registryName = 'customer-data-api';
    const registry = new CfnRegistry(this, 'Registry', { registryName });
    const { info, components } = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
    for (const name of Object.keys(components.messages)) {
      const { [name]: event, ...others } = components.schemas;
      const { source, 'detail-type': detailType } = event.properties;
      const AWSEvent = {
        ...event,
        'x-amazon-events-source': source.enum[0],
        'x-amazon-events-detail-type': detailType.enum[0],
      };
      const schema = new CfnSchema(this, name, {
        registryName,
        schemaName: `${source.enum[0]}@${name}`,
        type: 'OpenApi3',
        content: JSON.stringify({
          openapi: '3.0.0',
          info: { title: name, version: info.version },
          paths: {},
          components: { schemas: { AWSEvent, ...others } },
        }),
      });
      schema.addResourceDependency(registry);
    }
  }
}

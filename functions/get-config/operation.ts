import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import * as field from '../../core/configuration/field.ts';
import { Configuration, readConfiguration } from '../../core/configuration/read-configuration.ts';
import { ClientId } from '../../core/identifiers.ts';
import demo from '../../examples/demo.json' with { type: 'json' };
import { API_ENVIRONMENT, type Operation } from '../api/operation.ts';

/** The request body of `getConfig`. */
export const GetConfigRequest = v.object({ clientId: ClientId });

export const ENVIRONMENT = API_ENVIRONMENT;

/** `getConfig` (spec, "getConfig"). */
export const getConfig = {
  folder: 'get-config',
  paths: [
    { path: '/customerData/getConfig', operationId: 'getConfig', summary: 'getConfig' },
    // As the spec spells it, and apps in the field call it (docs/decisions/0002).
    {
      path: '/customData/getConfig',
      operationId: 'getConfigAtCustomData',
      summary: 'getConfig, older path',
    },
  ],
  description:
    "Which data collection components the app presents. Call it before the registration UI, and before a customer's previously collected data is displayed. The app keeps `data` in local storage.",
  request: GetConfigRequest,
  data: Configuration,
  schemas: {
    Configuration,
    Field: field.Field,
    TextField: field.TextField,
    DropField: field.DropField,
    ComboField: field.ComboField,
    SubField: field.SubField,
    TextSubField: field.TextSubField,
    DropSubField: field.DropSubField,
    Option: field.Option,
  },
  errors: [],
  example: {
    request: { clientId: 'demo' },
    data: () => readConfiguration(unmarshall(demo)).configuration,
  },
  environment: ENVIRONMENT,
  grants: { configs: ['dynamodb:GetItem'] },
} satisfies Operation;

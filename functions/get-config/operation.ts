import * as v from 'valibot';
import * as field from '../../core/configuration/field.ts';
import { Configuration, readConfiguration } from '../../core/configuration/read-configuration.ts';
import { ClientId } from '../../core/identifiers.ts';
import { API_ENVIRONMENT, type Operation } from '../http/operation.ts';
import { exampleClients } from './example-clients.ts';

/** The request body of `getConfig`. */
export const GetConfigRequest = v.object({ clientId: ClientId });

export const ENVIRONMENT = API_ENVIRONMENT;

/** A client in `examples/` that has a field of each kind. */
const EXAMPLE = 'demo';

/** `getConfig` (spec, "getConfig"). */
export const getConfig = {
  folder: 'get-config',
  paths: [
    { path: '/customerData/getConfig', operationId: 'getConfig', summary: 'getConfig' },
    // Spelled as in the spec, and as apps in the field call it (docs/decisions/0002).
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
    request: { clientId: EXAMPLE },
    data: () =>
      readConfiguration({ ...exampleClients().find(({ clientId }) => clientId === EXAMPLE) })
        .configuration,
  },
  environment: ENVIRONMENT,
  grants: { configs: ['dynamodb:GetItem'] },
  // Anybody may send a flood of it, and each request that finds no warm function starts another
  // one, which takes about 0.3 s. Even if every request of that time starts one, both paths
  // together need 2 × (250 + 500 × 0.3) = 800 concurrent functions. An account has 1,000, so
  // promoCode/apply and the queue have 200 left. Once they are warm, ten are enough.
  throttle: { requestsPerSecond: 500, burst: 250 },
} satisfies Operation;

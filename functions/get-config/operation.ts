import * as v from 'valibot';
import * as field from '../../core/configuration/field.ts';
import type { FieldKind, InputKind } from '../../core/configuration/kinds.ts';
import { Configuration, readConfiguration } from '../../core/configuration/read-configuration.ts';
import { ClientId } from '../../core/identifiers.ts';
import { API_ENVIRONMENT, type Operation } from '../http/operation.ts';
import { exampleClients } from './example-clients.ts';

/** The request body of `getConfig`. */
export const GetConfigRequest = v.object({ clientId: ClientId });

export const ENVIRONMENT = API_ENVIRONMENT;

/** The schema of a kind of field or input. */
type NameOfKind = `${Capitalize<FieldKind>}Field` | `${Capitalize<InputKind>}SubField`;

/** The client in `examples/` that has a field of each kind. */
const EXAMPLE = 'demo';

/** `getConfig` (spec, "getConfig"). */
export const getConfig = {
  folder: 'get-config',
  path: '/customData/getConfig',
  operationId: 'getConfig',
  summary: 'getConfig',
  description:
    "Which data collection components the app presents. Call it before the registration UI, and before a customer's previously collected data is displayed. The app keeps `data` in local storage.",
  hasVariants: true,
  request: GetConfigRequest,
  data: Configuration,
  // Generators have types of their own called Configuration and Option.
  schemas: {
    ConfigurationResult: Configuration,
    Field: field.Field,
    TextField: field.TextField,
    DropField: field.DropField,
    ComboField: field.ComboField,
    SubField: field.SubField,
    TextSubField: field.TextSubField,
    DropSubField: field.DropSubField,
    SubFieldOption: field.Option,
  } satisfies Readonly<Record<NameOfKind, v.GenericSchema>> & Operation['schemas'],
  errors: [],
  example: {
    request: { clientId: EXAMPLE },
    data: () =>
      readConfiguration({ ...exampleClients().find(({ clientId }) => clientId === EXAMPLE) })
        .configuration,
  },
  environment: ENVIRONMENT,
  grants: { configs: ['dynamodb:GetItem'] },
  metrics: ['FieldsLeftOut'],
  // Anyone may flood this path, and each request that finds no warm function starts one, in 0.3 s.
  // At worst it needs 250 + 500 × 0.3 = 400 concurrent functions. An account has 1,000, which
  // leaves 600 for promoCode/apply and the queue. Once warm, ten functions are enough.
  throttle: { requestsPerSecond: 500, burst: 250 },
} satisfies Operation;

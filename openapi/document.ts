import { readFile } from 'node:fs/promises';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { readConfiguration } from '../core/configuration/read-configuration.ts';
import { errorEnvelope, successEnvelope } from '../functions/api/envelope.ts';
import { MAX_BODY_BYTES } from '../functions/api/json-body.ts';
import { ERROR_RESPONSES, type ErrorResponseName } from './error-responses.ts';
import { appIdSchema, jsonSchemas, ref, type SchemaName } from './json-schemas.ts';

const PACKAGE = new URL('../package.json', import.meta.url);
const EXAMPLE = new URL('../examples/demo.json', import.meta.url);

const DESCRIPTION = `Every operation is a POST of a JSON object of at most ${MAX_BODY_BYTES / 1024} KB, in UTF-8.

**Every answer has the keys \`errors\`, \`warnings\`, \`notices\` and \`data\`, whoever makes it. Decide between success and
error by the length of \`errors\`**: if it is greater than zero, \`data\` is the error structure.

Properties of a request that are not described here are removed, and a warning says which; those named \`__proto__\`,
\`constructor\` or \`prototype\` are refused. So are texts with control characters or lone surrogates.

A request carries five headers, each once:

\`\`\`
Content-Type: application/json
Authorization: Bearer <ID_TOKEN>
App-Id: <API_KEY>
Device-Id: <advertising id>
Request-Date: 2026-11-20T09:30:00Z
\`\`\`

The checks come in this order, and the first that fails is answered: headers, token, body, client and App-Id, user.`;

/**
 * The OpenAPI 3.1 document of the API, as it is checked in as `openapi.json`. Its schemas, limits and errors are those
 * that the functions use.
 */
export async function openApiDocument() {
  const { version } = JSON.parse(await readFile(PACKAGE, 'utf8'));
  const example = unmarshall(JSON.parse(await readFile(EXAMPLE, 'utf8')));
  const appId = appIdSchema();
  const getConfig = {
    description:
      "Which data collection components the app presents. Call it before the registration UI, and before a customer's previously collected data is displayed. The app keeps `data` in local storage.",
    requestBody: requestBody('GetConfigRequest', { clientId: 'demo' }),
    responses: responses('GetConfigResponse', readConfiguration(example).configuration, []),
  };
  return {
    openapi: '3.1.1',
    info: {
      title: 'customer-data-api',
      version,
      summary: 'Customer data configuration and promo codes for mobile apps.',
      description: DESCRIPTION,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [
      {
        url: '{base_url}',
        description: 'The output ApiUrl of a deployment.',
        variables: {
          base_url: {
            default: 'http://127.0.0.1:3000',
            description: 'By default the local server.',
          },
        },
      },
    ],
    security: [{ idToken: [], appId: [] }],
    paths: {
      '/customerData/getConfig': operation({
        operationId: 'getConfig',
        summary: 'getConfig',
        ...getConfig,
      }),
      '/customData/getConfig': operation({
        operationId: 'getConfigAtCustomData',
        summary: 'getConfig, older path',
        ...getConfig,
      }),
      '/promoCode/apply': operation({
        operationId: 'applyPromoCode',
        summary: 'promoCode/apply',
        description:
          "Applies a promo code to the user's account, once. The same request (same user, code and `Request-Date`) may be sent again and changes nothing: when the answer is lost or `retryable`, send it again with the same `Request-Date`. A request with another `Request-Date` is kept as a repetition; it is a success too.",
        requestBody: requestBody('ApplyPromoCodeRequest', {
          clientId: 'demo',
          promoCode: 'WELCOME10',
          userId: 'demo-user',
          eventType: 'promo_applied',
          source: 'profile',
        }),
        responses: responses('ApplyPromoCodeResponse', { message: 'The promo code was applied.' }, [
          'Forbidden',
        ]),
      }),
    },
    components: {
      securitySchemes: {
        idToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            '`Authorization: Bearer <ID_TOKEN>`, with the ID token of the Cognito user pool; not the access token.',
        },
        appId: {
          type: 'apiKey',
          in: 'header',
          name: 'App-Id',
          description: `${appId.description} ${appId.minLength} to ${appId.maxLength} characters.`,
        },
      },
      parameters: {
        DeviceId: headerParameter('Device-Id', 'DeviceId'),
        RequestDate: headerParameter('Request-Date', 'RequestDate'),
      },
      schemas: jsonSchemas(),
      responses: Object.fromEntries(
        Object.entries(ERROR_RESPONSES).map(([name, { description, schema, examples }]) => [
          name,
          {
            description,
            content: {
              'application/json': {
                schema: ref(schema),
                examples: Object.fromEntries(
                  Object.entries(examples).map(([example, error]) => [
                    example,
                    { value: errorEnvelope(error) },
                  ]),
                ),
              },
            },
          },
        ]),
      ),
    },
  };
}

/** The path item of an operation: every operation is a POST with the same headers. */
function operation(post: object) {
  return {
    parameters: ['DeviceId', 'RequestDate'].map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    post,
  };
}

function headerParameter(name: string, schema: SchemaName) {
  const { description } = jsonSchemas()[schema];
  return { name, in: 'header', required: true, description, schema: ref(schema) };
}

function requestBody(schema: SchemaName, example: object) {
  return { required: true, content: { 'application/json': { schema: ref(schema), example } } };
}

/** The answers of an operation by status: its own, those that every operation has, and some of the others. */
function responses(schema: SchemaName, data: object, others: readonly ErrorResponseName[]) {
  const example = successEnvelope(data, { warnings: [], notices: [] });
  const errors = Object.entries(ERROR_RESPONSES)
    .filter(([name, { everywhere }]) => everywhere || others.some((other) => other === name))
    .map(([name, { statusCode }]) => [statusCode, { $ref: `#/components/responses/${name}` }]);
  return {
    200: {
      description: 'Success: `errors` is empty.',
      content: { 'application/json': { schema: ref(schema), example } },
    },
    ...Object.fromEntries(errors),
  };
}

import type { Throttle } from 'customer-data-api/operations';
import type { Template, TemplateResource } from '../template.ts';

/** The REST API of a template, as the local gateway serves it. */
export interface RestApi {
  readonly routes: readonly Route[];
  readonly mockMethods: readonly MockMethod[];
  /** The gateway's own responses, by response type. */
  readonly gatewayResponses: ReadonlyMap<string, GatewayResponse>;
}

/** A route of the REST API and its function. */
interface Route {
  readonly method: string;
  readonly path: string;
  readonly functionLogicalId: string;
  /** Undefined if the stage does not throttle the route. */
  readonly throttle: Throttle | undefined;
}

/** A response that the gateway generates itself. */
export interface GatewayResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A method without a function: a MOCK integration with one response. */
export interface MockMethod {
  /** `ANY` for all methods without their own route. */
  readonly method: string;
  readonly path: string;
  /** Media types of accepted request bodies; undefined for all. */
  readonly mediaTypes: readonly string[] | undefined;
  /** Its body is a mapping template. */
  readonly response: GatewayResponse;
}

type Properties = TemplateResource['Properties'];

/** Reads the REST API. Throws an Error for an integration or a header that it does not support. */
export function readRestApi(template: Template): RestApi {
  const methods = methodsOf(template);
  const isMock = ({ Integration }: Properties) => Integration.Type === 'MOCK';
  return {
    routes: methods
      .filter((method) => !isMock(method))
      .map(({ HttpMethod: method, path, Integration }) => ({
        method,
        path,
        functionLogicalId: template.functionIn(Integration.Uri),
        throttle: throttleOf(template, { method, path }),
      })),
    mockMethods: methods.filter(isMock).map(readMock),
    gatewayResponses: new Map(
      template.resources('AWS::ApiGateway::GatewayResponse').map(([, { Properties }]) => [
        Properties.ResponseType,
        {
          statusCode: Number(Properties.StatusCode),
          headers: staticHeaders(Properties.ResponseParameters),
          body: Properties.ResponseTemplates['application/json'],
        },
      ]),
    ),
  };
}

/** Returns the properties of the methods, with their paths. */
function methodsOf(template: Template): Properties[] {
  const resources = new Map(template.resources('AWS::ApiGateway::Resource'));
  const pathOf = ({ Ref = '' }: { Ref?: string }): string => {
    const properties = resources.get(Ref)?.Properties;
    return properties ? `${pathOf(properties.ParentId)}/${properties.PathPart}` : '';
  };
  return template
    .resources('AWS::ApiGateway::Method')
    .map(([, { Properties }]) => ({ ...Properties, path: pathOf(Properties.ResourceId) }));
}

function readMock({ HttpMethod, path, Integration }: Properties): MockMethod {
  const { PassthroughBehavior, RequestTemplates, IntegrationResponses } = Integration;
  const [{ StatusCode, ResponseParameters, ResponseTemplates }] = IntegrationResponses;
  return {
    method: HttpMethod,
    path,
    mediaTypes: PassthroughBehavior === 'NEVER' ? Object.keys(RequestTemplates) : undefined,
    response: {
      statusCode: Number(StatusCode),
      headers: staticHeaders(ResponseParameters),
      body: ResponseTemplates?.['application/json'] ?? '',
    },
  };
}

/** Returns the limits of a route, or the stage's. Slashes in paths are written `~1` (RFC 6901). */
function throttleOf(
  template: Template,
  { method, path }: Pick<Route, 'method' | 'path'>,
): Throttle | undefined {
  const settings = template
    .resources('AWS::ApiGateway::Stage')
    .flatMap(([, { Properties }]) => Properties.MethodSettings ?? []);
  const own = settings.find(
    ({ HttpMethod, ResourcePath }) =>
      HttpMethod === method && ResourcePath === `/${path.replaceAll('/', '~1')}`,
  );
  const found = own ?? settings.find(({ ResourcePath }) => ResourcePath === '/*');
  const { ThrottlingRateLimit, ThrottlingBurstLimit } = found ?? {};
  if (ThrottlingRateLimit === undefined || ThrottlingBurstLimit === undefined) return undefined;
  return { requestsPerSecond: ThrottlingRateLimit, burst: ThrottlingBurstLimit };
}

/** Returns the headers in parameters such as `gatewayresponse.header.Allow`: quoted values. */
function staticHeaders(parameters: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => {
      const [, text] = /^'(.*)'$/.exec(value) ?? [];
      if (text === undefined) throw new Error(`The local server cannot resolve ${value}.`);
      return [name.replace(/^.*response\.header\./, ''), text];
    }),
  );
}

import { Stack } from 'aws-cdk-lib';
import {
  type ILogGroup,
  QueryDefinition,
  QueryString,
  type QueryStringProps,
} from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { REQUEST_FAILED, REQUEST_REFUSED } from '../../core/runtime/log-messages.ts';

/** The runbook's queries. Logs Insights shows them in a folder named after the stack. */
const QUERIES: Readonly<Record<string, QueryStringProps>> = {
  failed: {
    // An error of AWS is the cause of one that only says that AWS is unavailable.
    fields: [
      'coalesce(error.cause.name, error.name) as name',
      'coalesce(error.cause.message, error.message) as why',
    ],
    filterStatements: [`message = "${REQUEST_FAILED}"`],
    statsStatements: [
      'count(*) as lines, sum(suppressed) as notLogged, latest(@timestamp) as last by service, code, name, why',
    ],
    sort: 'lines desc',
  },
  crashes: {
    // Lambda's own lines, of all functions.
    fields: ['coalesce(record.errorType, record.status) as why'],
    filterStatements: ['type = "platform.report" and record.status != "success"'],
    statsStatements: ['count(*) as lines, latest(@timestamp) as last by @log, why'],
    sort: 'lines desc',
  },
  refused: {
    fields: ['coalesce(reason, problems.0) as why'],
    filterStatements: [`message = "${REQUEST_REFUSED}"`],
    statsStatements: [
      'count(*) as lines, sum(suppressed) as notLogged by service, code, clientId, why, appId',
    ],
    sort: 'lines desc',
  },
  clients: {
    filterStatements: [
      `message in ["Request sampled", "${REQUEST_REFUSED}", "${REQUEST_FAILED}"] and ispresent(clientId)`,
    ],
    statsStatements: [
      'count(*) as lines, sum(suppressed) as notLogged, pct(milliseconds, 50) as p50, pct(milliseconds, 99) as p99 by clientId, appId, code',
    ],
    sort: 'clientId asc',
  },
  configurations: {
    filterStatements: [
      'message = "Configuration to correct" or message like /^Every request of the client is refused/',
    ],
    fields: ['coalesce(findings.0, attribute) as what'],
    statsStatements: ['latest(@timestamp) as last by clientId, version, errors, what'],
    sort: 'last desc',
  },
  harm: {
    filterStatements: ['message = "A change harmed a client"'],
    fields: ['@timestamp', 'clientId', 'version', 'source', 'by', '@message'],
    sort: '@timestamp desc',
  },
  promoEvents: {
    fields: ['coalesce(problem, error.cause.message, error.message) as why'],
    filterStatements: [
      'message in ["The table did not store a promo event", "A promo event stays in the queue", "A message is not a promo event", "A promo event is too old to be stored"]',
    ],
    statsStatements: ['count(*) as lines, latest(@timestamp) as last by message, clientId, why'],
    sort: 'lines desc',
  },
  messages: {
    fields: ['coalesce(error.cause.message, error.message, reason, problem) as why'],
    filterStatements: ['level in ["ERROR", "WARN"]'],
    statsStatements: ['count(*) as lines by service, level, message, why'],
    sort: 'lines desc',
  },
  request: {
    fields: ['@timestamp', 'service', 'message', 'statusCode', 'code', 'clientId', '@message'],
    filterStatements: ['requestId = "<x-amzn-RequestId of the response>"'],
  },
};

/** The saved queries of a stage. */
export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, logGroups: readonly ILogGroup[]) {
    super(scope, id);
    for (const [name, query] of Object.entries(QUERIES)) {
      new QueryDefinition(this, name, {
        queryDefinitionName: `${Stack.of(this).stackName}/${name}`,
        queryString: new QueryString(query),
        logGroups: [...logGroups],
      });
    }
  }
}

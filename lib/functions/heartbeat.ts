import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { ServiceFunction } from './service-function.ts';

/** The interval of the heartbeat's calls. */
export const CALL_PERIOD = Duration.minutes(5);

/** A function that calls the API on a schedule, so that an outage is noticed when no app calls. */
export class Heartbeat extends Construct {
  readonly function: ServiceFunction;

  constructor(scope: Construct, id: string, url: string) {
    super(scope, id);
    this.function = new ServiceFunction(this, id, {
      folder: 'heartbeat',
      environment: { HEARTBEAT_URL: url },
      memoryMegabytes: 256,
      reservedConcurrency: undefined,
    });
    new Rule(this, 'Schedule', {
      schedule: Schedule.rate(CALL_PERIOD),
      targets: [new LambdaFunction(this.function, { retryAttempts: 0 })],
    });
  }
}

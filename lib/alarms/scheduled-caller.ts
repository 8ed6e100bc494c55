import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { ServiceFunction, type ServiceFunctionProps } from '../functions/service-function.ts';

/**
 * Every five minutes. More calls would raise the share of refused ones with little traffic (alarm
 * `Unauthorized`).
 */
export const CALL_PERIOD = Duration.minutes(5);

/** A function that calls the API on a schedule, so that an outage is noticed when no app calls. */
export class ScheduledCaller extends Construct {
  readonly function: ServiceFunction;

  constructor(
    scope: Construct,
    id: string,
    props: Pick<ServiceFunctionProps, 'folder' | 'environment'>,
  ) {
    super(scope, id);
    this.function = new ServiceFunction(this, id, {
      ...props,
      memoryMegabytes: 256,
      reservedConcurrency: undefined,
    });
    new Rule(this, 'Schedule', {
      schedule: Schedule.rate(CALL_PERIOD),
      targets: [new LambdaFunction(this.function, { retryAttempts: 0 })],
    });
  }
}

import type { Stage as ApiStage } from 'aws-cdk-lib/aws-apigateway';
import type { WebAcl } from '../api/web-acl.ts';
import type { ConfigurationHistory } from '../dynamodb/configuration-history.ts';
import type { Tables } from '../dynamodb/tables.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import type { ServiceBus } from '../promo-events/bus.ts';
import type { PromoEventsQueue } from '../promo-events/queue.ts';
import type { Stage } from '../settings/stage-file.ts';

/** The parts of the stack that alarms and graphs monitor. */
export interface Monitored {
  readonly stage: Stage;
  readonly api: ApiStage;
  readonly webAcl: WebAcl | undefined;
  /** The functions of the operations. */
  readonly operations: readonly ServiceFunction[];
  /** The function that stores the events of the queue. */
  readonly consumer: ServiceFunction;
  /** The function that publishes promo events. */
  readonly publisher: ServiceFunction;
  /** The function that records versions. */
  readonly recorder: ServiceFunction;
  /** The function that checks promo events. */
  readonly checker: ServiceFunction | undefined;
  /** All of these. */
  readonly functions: readonly ServiceFunction[];
  readonly heartbeat: ServiceFunction | undefined;
  readonly tables: Tables;
  readonly queue: PromoEventsQueue;
  readonly bus: ServiceBus;
  readonly history: ConfigurationHistory;
}

import { Metrics } from '@aws-lambda-powertools/metrics';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import { Tracer } from '@aws-lambda-powertools/tracer';
import { captureLambdaHandler } from '@aws-lambda-powertools/tracer/middleware';
import { dynamodb } from '../tables.ts';

const tracer = new Tracer();
tracer.captureAWSv3Client(dynamodb);

export const metrics = new Metrics();

/** What Powertools records of each call besides the log. */
export const observers = () => [captureLambdaHandler(tracer), logMetrics(metrics)];

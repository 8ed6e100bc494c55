import { Metrics } from '@aws-lambda-powertools/metrics';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import { Tracer } from '@aws-lambda-powertools/tracer';
import { captureLambdaHandler } from '@aws-lambda-powertools/tracer/middleware';
import { documentClient } from '../document-client.ts';

const tracer = new Tracer();
tracer.captureAWSv3Client(documentClient);

/** The metrics of the function. */
export const metrics = new Metrics();

/** Middlewares that record traces and metrics of each call. */
export const observers = () => [captureLambdaHandler(tracer), logMetrics(metrics)];

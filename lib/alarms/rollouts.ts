import type { AlarmDefinitions } from './alarm.ts';
import { sumOf } from './metrics.ts';
import type { Monitored } from './monitored.ts';

/** Returns the alarm on rollouts that go on although their own alarm did. */
export function rolloutAlarms({ stopper }: Monitored): AlarmDefinitions {
  if (!stopper) return {};
  return {
    RolloutNotStopped: {
      metric: sumOf({ errors: stopper.metricErrors(), throttles: stopper.metricThrottles() }),
      meaning: 'An alarm went on, and a rollout that it should stop may go on.',
      pages: true,
    },
  };
}

import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test('a count is written at once as one line, with its metadata beside its only dimension', async () => {
  vi.stubEnv('POWERTOOLS_METRICS_NAMESPACE', 'CustomerDataApi');
  vi.stubEnv('POWERTOOLS_SERVICE_NAME', 'get-config');
  const { count } = await import('../../../../core/platform/metrics.ts');
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  count('FieldsLeftOut', 3, { clientId: 'demo', claim: 'sub' });
  const lines = write.mock.calls.map(([line]) => String(line));
  write.mockRestore();
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    _aws: {
      Timestamp: expect.any(Number),
      CloudWatchMetrics: [
        {
          Namespace: 'CustomerDataApi',
          Dimensions: [['service']],
          Metrics: [{ Name: 'FieldsLeftOut', Unit: 'Count' }],
        },
      ],
    },
    service: 'get-config',
    FieldsLeftOut: 3,
    clientId: 'demo',
    claim: 'sub',
  });
});

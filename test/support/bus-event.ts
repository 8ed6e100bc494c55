/** An event that was sent to the bus, as a rule passes it to its target. */
export function busEvent<TDetail extends object>({
  source = 'customer-data-api.promo-events',
  detailType,
  detail,
  time = '2026-11-21T20:57:48Z',
}: {
  readonly source?: string;
  readonly detailType: string;
  readonly detail: TDetail;
  readonly time?: string;
}) {
  return {
    version: '0',
    id: '6c0b9c58-8f8b-4f0c-9d3a-8f2c3d9a6f51',
    'detail-type': detailType,
    source,
    account: '000000000000',
    time,
    region: 'us-east-1',
    resources: [],
    detail,
  };
}

import { counted } from 'customer-data-api/configuration';

/** A line about requests in the queue, which has those that the table did not store. */
export function describeWaiting(count: number): string {
  if (count === 0) return 'No promo code waits in the queue.';
  const [they, them, are] = count === 1 ? ['It', 'it', 'is'] : ['They', 'them', 'are'];
  const requests = counted(count, 'request for a promo code', 'requests for promo codes');
  return `${requests} ${count === 1 ? 'waits' : 'wait'} in the queue, because the table did not store ${them}. ${they} ${are} tried again every two minutes.`;
}

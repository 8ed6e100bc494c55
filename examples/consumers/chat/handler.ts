/** News of a configuration, which somebody may have forged. */
interface News {
  readonly detail: { readonly chat?: { readonly text?: unknown } };
}

const TIMEOUT_MS = 10_000;

/**
 * Posts news to the chat. It throws if the chat does not take them: Lambda tries twice more, and
 * then sends the event to the queue `Failed`.
 */
export async function handler({ detail }: News): Promise<void> {
  const response = await fetch(process.env.ENDPOINT ?? '', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    // The text alone: other properties would have markup of their own.
    body: JSON.stringify({ text: withoutMarkup(String(detail.chat?.text)) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`The chat answered with ${response.status}.`);
}

/** Keeps a text from being a link, or calling everybody: chats read that in angle brackets. */
function withoutMarkup(text: string): string {
  return text.replaceAll('<', '‹').replaceAll('>', '›');
}

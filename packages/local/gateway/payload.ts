import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';

// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
const MAX_PAYLOAD_BYTES = 10 * 1024 * 1024;

/**
 * The content codings that API Gateway decompresses, whatever the settings of the API.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-gzip-compression-decompression
 */
const DECOMPRESSED = new Map([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
]);

/** The gateway's answer to a body that it does not pass on. */
type PayloadRefusal = 'REQUEST_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE';

/** Reads a body to the end, so that the caller gets a response, and decompresses it. */
export async function readPayload(request: IncomingMessage): Promise<Buffer | PayloadRefusal> {
  const bytes = await readBytes(request);
  if (!bytes) return 'REQUEST_TOO_LARGE';
  const coding = (request.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return bytes;
  const decompress = DECOMPRESSED.get(coding);
  if (!decompress) return 'UNSUPPORTED_MEDIA_TYPE';
  if (bytes.length === 0) return bytes;
  try {
    return await decompress(bytes, { maxOutputLength: MAX_PAYLOAD_BYTES });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ERR_BUFFER_TOO_LARGE' ? 'REQUEST_TOO_LARGE' : 'UNSUPPORTED_MEDIA_TYPE';
  }
}

async function readBytes(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length <= MAX_PAYLOAD_BYTES) chunks.push(chunk);
  }
  return length <= MAX_PAYLOAD_BYTES ? Buffer.concat(chunks) : undefined;
}

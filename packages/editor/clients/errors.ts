import type { ErrorCode } from 'customer-data-api-deployment/program';

/** An error that an operator can fix. It has no message: each interface words it for its users. */
export abstract class OperatorError extends Error {
  abstract readonly code: ErrorCode;
}

/** An error about a client. */
export abstract class ClientError extends OperatorError {
  readonly clientId: string;

  constructor(clientId: string) {
    super();
    this.clientId = clientId;
  }
}

/** There is no client with this id. */
export class NoSuchClient extends ClientError {
  readonly code = 'noSuchClient';
}

/** The client of the version was removed. Create it before a rollback. */
export class RemovedClient extends NoSuchClient {}

/** A client with this id exists. */
export class ClientExists extends ClientError {
  readonly code = 'clientExists';
}

/** Someone else changed a part of the client at the same time. Nothing was written. */
export class ClientConflict extends ClientError {
  readonly code = 'conflict';
  readonly part: 'item' | 'App-Ids' | 'app clients' | 'rollout';

  constructor(clientId: string, part: ClientConflict['part']) {
    super(clientId);
    this.part = part;
  }
}

/** The App-Id is the only one of its client. Without it, every request is refused. */
export class LastAppId extends ClientError {
  readonly code = 'lastAppId';
}

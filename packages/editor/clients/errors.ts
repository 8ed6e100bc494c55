import type { ErrorCode } from 'customer-data-api-deployment/program';
import type { NamedAppId } from '../words.ts';

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
  readonly part: 'item' | 'appClients' | 'rollout';

  constructor(clientId: string, part: ClientConflict['part']) {
    super(clientId);
    this.part = part;
  }
}

/** A text names no App-Id of the client, or several. */
export class NoSuchAppId extends ClientError {
  readonly code = 'noSuchAppId';
  /** The App-Ids of the client. */
  readonly known: readonly NamedAppId[];
  /** The label or digits of several, and digits that name each. It is no App-Id. */
  readonly ambiguous: { readonly name: string; readonly digits: readonly string[] } | undefined;

  constructor(clientId: string, known: NoSuchAppId['known'], ambiguous?: NoSuchAppId['ambiguous']) {
    super(clientId);
    this.known = known.map(({ fingerprint, named }) => ({ fingerprint, named }));
    this.ambiguous = ambiguous;
  }
}

/** The App-Id is the only one of its client. Without it, every request is refused. */
export class LastAppId extends ClientError {
  readonly code = 'lastAppId';
}

/** The mistakes in what an operator asks for, with the facts of each. */
export interface Mistakes {
  /** Apps send the App-Id itself. */
  readonly appIdIsFingerprint: { readonly clientId: string; readonly fingerprint: string };
  readonly labelTaken: {
    readonly clientId: string;
    readonly fingerprint: string;
    readonly label: string;
  };
  /** Other commands, or follow-on systems, would not recognize the id as that of a client. */
  readonly invalidClientId: { readonly clientId: string };
  readonly smokeClientId: { readonly clientId: string; readonly prefix: string };
  /** The client had promo codes whose case does not count. */
  readonly caseIgnoredBefore: { readonly clientId: string };
  /** The deployment does not have the app clients. */
  readonly unknownAppClients: {
    readonly appClients: readonly string[];
    readonly known: readonly string[];
  };
  /** The deployment has several to choose from. */
  readonly noAppClientChosen: { readonly known: readonly string[] };
  readonly invalidDevice: { readonly device: string; readonly problem: string };
  /** Nobody would get the candidate of a rollout: it has no share, or the damage. */
  readonly uselessRollout: { readonly damage: string | undefined };
  /** A rollout runs at the percentage, and its new share is not larger. */
  readonly shareNotLarger: { readonly percent: number };
}

/** A mistake in what an operator asks for, which no retry mends. */
export class Mistake<TKind extends keyof Mistakes = keyof Mistakes> extends OperatorError {
  readonly code = 'usage';
  readonly kind: TKind;
  readonly facts: Mistakes[TKind];

  constructor(kind: TKind, facts: Mistakes[TKind]) {
    super();
    this.kind = kind;
    this.facts = facts;
  }
}

export { databaseClient, queueClient, REGION } from './aws-clients.ts';
export { FOLDER_OPTION, LOCAL_FOLDER } from './folder-option.ts';
export { signIdToken, signToken, type TokenOptions } from './id-token.ts';
export {
  createJwksServer,
  generateSigningKey,
  type Issuer,
  issuerFrom,
  issuerOf,
  jwksPath,
  readOrCreateSigningKey,
  runningIssuer,
  type SigningKey,
  storeSigningKey,
} from './issuer.ts';
export {
  openKeptLines,
  readAppIdUses,
  readRefusals,
} from './kept-lines.ts';
export { type Callers, close, listen } from './listen.ts';
export {
  expectNoServer,
  type LocalOutputs,
  OUTPUTS_FILE,
  runningOutputs,
  writeOutputs,
} from './outputs-file.ts';

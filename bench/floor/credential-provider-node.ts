import { environmentCredentials } from '../../functions/http/environment-credentials.ts';

/** Stands in for the SDK's chain of credential providers, most of which is never used in Lambda. */
export const defaultProvider = () => environmentCredentials;

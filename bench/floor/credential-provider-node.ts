import { environmentCredentials } from '../../core/platform/environment-credentials.ts';

/** Stands in for the SDK's chain of credential providers, most of which is never used in Lambda. */
export const defaultProvider = () => environmentCredentials;

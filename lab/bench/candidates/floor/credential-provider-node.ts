import { environmentCredentials } from '../../../../core/aws/environment-credentials.ts';

/**
 * Replaces the SDK's chain of credential providers: in Lambda, only the environment variables are
 * ever used.
 */
export const defaultProvider = () => environmentCredentials;

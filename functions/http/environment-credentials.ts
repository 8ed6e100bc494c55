/**
 * Takes the place of the SDK's chain of credential providers in the bundles (`lib/api-function.ts`): Lambda puts the
 * credentials of the function's role into these variables, and the rest of the chain is a third of the bundle.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
 */
export const defaultProvider = () => async () => {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = process.env;
  if (!accessKeyId || !secretAccessKey) {
    throw new Error('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set.');
  }
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
};

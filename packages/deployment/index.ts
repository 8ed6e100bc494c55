export { author } from './author.ts';
export { callOf } from './aws-call.ts';
export {
  cloudFormationClient,
  documentClient,
  dynamodbClient,
  eventBridgeClient,
  named,
  sqsClient,
  streamsClient,
  usualRegion,
} from './aws-clients.ts';
export { AwsError, inOneLine } from './aws-error.ts';
export {
  type Deployment,
  deploymentName,
  deploymentOf,
  expectCurrentRelease,
  findDeployment,
  findDeploymentToChange,
  outputsIn,
} from './deployment.ts';

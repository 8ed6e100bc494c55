export {
  awsClient,
  cloudFormationClient,
  documentClient,
  sqsClient,
  usualRegion,
} from './aws-clients.ts';
export { AwsError, callOf, inOneLine } from './aws-error.ts';
export {
  author,
  type Deployment,
  deploymentName,
  deploymentOf,
  expectCurrentRelease,
  findDeployment,
  findDeploymentToChange,
  outputsIn,
} from './deployment.ts';
export { type ConfigsTable, type ConfigurationTables, configurationTables } from './tables.ts';

export { createTable, embeddedDynamoDb, startDatabase } from './dynamodb/database.ts';
export { EVENTS_FILE } from './events/event-bus.ts';
export { readEventPattern } from './events/event-pattern.ts';
export { callInProcess } from './in-process.ts';
export { LambdaFunction } from './lambda/lambda-function.ts';
export { readPort } from './port.ts';
export { type LocalServer, startLocalServer } from './server/server.ts';
export { readCloudAssembly, type Synthesized, synthesize } from './synthesize.ts';
export { Template } from './template.ts';

export { CONSOLE_PORT, startConsole } from './server/server.ts';

import { buildDemo } from './app.ts';
import { readConfig } from './config.ts';

const config = readConfig(process.env);
const app = buildDemo(config);
await app.listen({ port: config.port, host: 'localhost' });

const stop = (): void => void app.close().then(() => process.exit(0));
process.on('SIGINT', stop);
process.on('SIGTERM', stop);

import { start } from './boot/start.ts';

void start();

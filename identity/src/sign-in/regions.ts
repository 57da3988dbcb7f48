import type { FastifyInstance } from 'fastify';
import type { CreateExchange } from '../http/create-exchange.ts';
import { registerRegions } from '../regions/routes.ts';
import { createHandOver } from './hand-over.ts';
import { createArrive, createEnter, createTakeRequest } from './region-entry.ts';
import { createTakeNotice } from './region-notices.ts';
import type { SignInServices } from './sign-in-services.ts';

/** Registers the routes between regions, if there are several regions. */
export async function mountRegions(
  app: FastifyInstance,
  services: SignInServices,
  createExchange: CreateExchange,
): Promise<void> {
  const { regions } = services;
  if (regions === undefined) return;
  const needed = { ...services, regions };
  const handlers = {
    takeRequest: createTakeRequest(needed),
    takeNotice: createTakeNotice(needed),
    arrive: createArrive(needed),
    handOver: createHandOver(needed),
    enter: createEnter(needed),
  };
  await registerRegions(app, regions, handlers, createExchange);
}

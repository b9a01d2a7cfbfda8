import { z } from 'zod';

/** Declares a model's identifier as vendors and compatible servers write them, paths such as `org/model` included. */
export const modelId = () =>
  z
    .string()
    .max(200)
    .regex(/^[A-Za-z0-9]+(?:(?:\/|[._:@-]+)[A-Za-z0-9]+)*$/, 'must be a model identifier');

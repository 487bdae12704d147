export { asks } from '../2025-06-18/methods.ts';
import { methods as elder } from '../2025-06-18/methods.ts';

export const methods: ReadonlySet<string> = new Set([
  ...elder,
  'tasks/get',
  'tasks/result',
  'tasks/list',
  'tasks/cancel',
]);

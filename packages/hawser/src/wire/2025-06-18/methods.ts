export { methods } from '../2025-03-26/methods.ts';

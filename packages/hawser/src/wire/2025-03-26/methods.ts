export { asks, methods } from '../2024-11-05/methods.ts';

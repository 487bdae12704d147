export { lift } from '../2024-11-05/lift.ts';

export { lift } from '../2025-06-18/lift.ts';

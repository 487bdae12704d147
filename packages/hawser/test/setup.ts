/** Runs before each test file: a rejection that nobody handled fails the test in which it happened. */
import { afterAll, afterEach } from 'vitest';
import { nextTurn } from '../src/testing/settle.ts';
import { collectRejections, takeRejections } from './support/rejections.ts';

collectRejections();

async function failOnRejections(): Promise<void> {
  // The platform tells of a rejection when its turn of the event loop is over.
  await nextTurn();
  const reasons = takeRejections();
  if (reasons.length === 0) return;
  throw new Error(`unhandled rejections: ${reasons.map(String).join('; ')}`, { cause: reasons[0] });
}

afterEach(failOnRejections);
afterAll(failOnRejections);

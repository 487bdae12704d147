// The JSON Schema engine by itself: for schemas of your own, and for those of strangers, within bounds.
import { compile, compileUntrusted } from 'hawser/schema';

const order = compile({
  type: 'object',
  properties: { berths: { type: 'integer', minimum: 1 }, name: { type: 'string', pattern: '^[A-Z]' } },
  required: ['name'],
});
console.log(order.isValid({ name: 'Aurora', berths: 2 }));
const result = order.validate({ name: 'aurora', berths: 0 }, { maxIssues: 10 });
if (!result.valid) for (const { path, message } of result.issues) console.log(`${path}: ${message}`);

// A stranger's schema costs so many steps and no more, and its patterns run in time that grows with the text only.
const hostile = await compileUntrusted({ type: 'string', pattern: '^(a+)+$' });
console.log(hostile.isValid(`${'a'.repeat(10_000)}!`));

console.log('ok: validated');

// Prints:
//   true
//   /berths: must be at least 1
//   /name: must match the pattern "^[A-Z]"
//   false
//   ok: validated

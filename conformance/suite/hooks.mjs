// A module hook for Node 20: gives the suite, and only the suite, an `fs` that exports `globSync`.
// The suite calls it in a command that is not used here.

const fsWithGlob = `
export * from 'node:fs';
export { default } from 'node:fs';
export const globSync = () => { throw new Error('globSync is not available on this Node version'); };
`;

export async function resolve(specifier, context, next) {
  if (specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/dist/')) {
    return { url: `data:text/javascript,${encodeURIComponent(fsWithGlob)}`, shortCircuit: true };
  }
  return next(specifier, context);
}

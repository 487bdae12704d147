/** The arguments every process of a row gets: one JSON object, the last argument. */
export const readArguments = () => JSON.parse(process.argv.at(-1) ?? '{}');

/** The command that starts `file` with these arguments, in the same Node. */
export const commandOf = (file, argument) => [process.execPath, file, JSON.stringify(argument)];

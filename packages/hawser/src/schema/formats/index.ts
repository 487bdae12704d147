export const formats = new Map<string, (text: string) => boolean>();

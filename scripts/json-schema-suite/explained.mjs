// Why tests of the optional groups are not passed: what a title has to match, and the reason.

export const explained = [];

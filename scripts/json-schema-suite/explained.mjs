// Why tests of the optional groups are not passed: what a title has to match, and the reason.

export const explained = [
  {
    matches: /^content: /,
    reason: 'content keywords are annotations, as in the later dialects; draft-07 leaves it open (validation 8.2)',
  },
  {
    matches: /^idn-hostname: .*(Bidi|right-to-left)/,
    reason:
      'the Bidi rule (RFC 5893) is left to the platform, whose URL parser (UTS 46) does not hold single labels to it',
  },
  {
    matches: /^idn-hostname: .*zero width non-joiner/,
    reason: 'where joiners may stand is left to the platform, which looks at the first one of a label',
  },
];

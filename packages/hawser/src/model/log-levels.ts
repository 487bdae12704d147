/** Severities of log messages, from talkative to grave (RFC 5424; server/utilities/logging). */
export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

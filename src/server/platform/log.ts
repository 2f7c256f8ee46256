import { type DestinationStream, type LoggerOptions, pino } from 'pino'

export type Log = Pick<ReturnType<typeof pino>, 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'>

/** Builds the structured logger, which writes to standard output by default. Redacts personal data and secrets. */
export function buildLog(level: string, destination?: DestinationStream) {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        'req.headers.cookie',
        'req.headers.authorization',
        'res.headers["set-cookie"]',
        '*.password',
        '*.token',
        // PostgreSQL quotes the rejected row in this field.
        'err.detail',
      ],
      censor: '[redacted]',
    },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

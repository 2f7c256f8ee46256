import { type DestinationStream, type LoggerOptions, pino } from 'pino'

export type Log = Pick<ReturnType<typeof pino>, 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'>

/**
 * Structured logs, on standard output unless told otherwise. Values that could identify a person or open a door are
 * left out.
 */
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
        // PostgreSQL quotes the row that it refused.
        'err.detail',
      ],
      censor: '[redacted]',
    },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}
